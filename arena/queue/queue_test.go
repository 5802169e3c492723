package queue_test

import (
	"testing"

	"thera/arena/queue"
	"thera/arena/queue/queuetest"
)

func TestLocal(t *testing.T) {
	queuetest.Conformance(t, func(*testing.T, bool) queuetest.Bench {
		q := queue.NewLocal()
		return queuetest.Bench{Queue: q, Taker: func() (queue.Source, func(queue.Taken)) {
			return q, func(taken queue.Taken) { taken.Return() } // a slot that ends says so
		}}
	})
}
