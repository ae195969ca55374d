// kubewright/patch: patches applied and computed on plain objects, without a server. Pure functions: no argument is ever
// changed, and results share nothing with arguments. A patch to send is made of their results by meta's builders:
//
//   apply…                                       create…                              to send
//   applyJsonPatch                               createJsonPatch                      jsonPatch(operations)
//   applyMergePatch                              createMergePatch, createThreeWay…    mergePatch(body)
//   applyStrategicMergePatch                     createTwoWay…, createThreeWay…       strategicMergePatch(body)
export { createJsonPatch } from './create-json-patch.js'
export { JsonPatchError, PatchConflictError, PreconditionFailedError } from './errors.js'
export { applyJsonPatch } from './json-patch.js'
export {
  applyMergePatch,
  type CreatePatchOptions,
  createMergePatch,
  createThreeWayMergePatch,
  mergePatchesConflict,
} from './merge-patch.js'
export { type PatchPrecondition, requireKeyUnchanged, requireMetadataKeyUnchanged } from './preconditions.js'
export { type OpenApiSchema, type SchemaFromOpenAPIOptions, schemaFromOpenAPI } from './schema-from-openapi.js'
export {
  applyStrategicMergePatch,
  createThreeWayStrategicMergePatch,
  createTwoWayStrategicMergePatch,
  mergeStrategicMergePatches,
  strategicMergePatchesConflict,
  type ThreeWayPatchOptions,
} from './strategic/strategic-merge-patch.js'
