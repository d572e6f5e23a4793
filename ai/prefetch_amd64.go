package ai

// prefetch asks the processor to bring a bucket near, and does not wait.
//
//go:noescape
func prefetch(b *bucket)
