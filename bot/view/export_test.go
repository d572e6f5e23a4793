package view

// ErrorsWithSentences returns the errors that have a sentence of their own.
func ErrorsWithSentences() []error {
	var list []error
	for _, p := range problems {
		list = append(list, p.err)
	}
	return list
}
