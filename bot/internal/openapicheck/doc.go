// Package openapicheck holds what the bot sends against the OpenAPI document
// that Discord publishes (github.com/discord/discord-api-spec,
// specs/openapi.json). It is for tests only.
//
// # Design
//
// The simulator refuses what it knows to be wrong; this package is a second
// opinion that nobody here has written. The document is 1.2 MB and not part of
// the project: tests that need it use [Open], which skips them where it is
// absent.
//
// A request is mapped to the document's path template, and its body validated
// as JSON Schema 2020-12, references resolved within the document. Discord
// leaves open whether it takes fields that the document does not name; here
// they are faults, since a misspelt field would otherwise pass.
//
// In a union, such as that of all components, only the alternatives that the
// field "type" chooses are reported, else one wrong button would be told as a
// wrong everything.
package openapicheck
