//go:build !amd64

package net

var vector = false

func (e *Evaluator) evaluate() int32 { return e.evaluateGeneric() }
