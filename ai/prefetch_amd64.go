package ai

// prefetch makes the processor load a bucket into its cache. It does not wait.
//
//go:noescape
func prefetch(b *bucket)
