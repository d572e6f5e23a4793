// Package openapicheck compares what the bot sends, and what the simulator
// answers, with the OpenAPI document that Discord publishes
// (github.com/discord/discord-api-spec, specs/openapi.json). It is for tests only.
//
// # Design
//
// The simulator refuses what it knows to be wrong. This package is a second
// opinion, from a source outside the project. The document is 1.2 MB and not part
// of the project, so tests that need it call [Open], which skips them when it is
// missing.
//
// A request is mapped to a path template of the document. Its body is validated
// as JSON Schema 2020-12, with references resolved within the document. Discord
// does not say whether it accepts fields that the document does not name. Here
// they are errors, since a misspelt field would otherwise pass.
//
// In a union, such as that of all components, only the alternatives that the
// field "type" chooses are reported. Otherwise one wrong button would be reported
// once for each kind of component.
package openapicheck
