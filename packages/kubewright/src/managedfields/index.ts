// kubewright/managedfields: who owns which field of an object, and what server-side apply does. No I/O.
//
//   const live = await deployments.get('web')
//   managersOf(live).map(({ manager, operation }) => `${manager} ${operation}`)   // ['web-operator Apply', 'kube-controller-manager Update']
//   ownersOf(live, '.spec.replicas')                                              // who would be in the way
//
//   const config = extract(live, 'web-operator', DeploymentSchema)                // what web-operator applied
//   if (!alreadyApplied(live, config, 'web-operator', DeploymentSchema)) await deployments.apply(config, { fieldManager: 'web-operator' })
//
// `DeploymentSchema` is from `kubewright/schema/apps/v1`.
export { type AlreadyAppliedOptions, alreadyApplied } from './already-applied.js'
export type { Comparison } from './compare.js'
export { conflictsOf, type FieldConflict } from './conflicts.js'
export {
  findFieldsOwners,
  type UpgradeOptions,
  upgradeManagedFields,
  upgradeManagedFieldsPatch,
} from './csa-upgrade.js'
export { type Extracted, type ExtractOptions, extract } from './extract.js'
export {
  FieldManager,
  type FieldManagerApplyOptions,
  type FieldManagerOptions,
  type VersionedObject,
} from './field-manager.js'
export { FieldSet } from './field-set.js'
export { anyElement, excludeFields, type FieldFilter, includeFields, type PathPattern } from './filter.js'
export { type FieldOwner, managersOf, ownersOf, stripManagedFields } from './owners.js'
export {
  type FieldNameElement,
  fieldName,
  formatPath,
  type IndexElement,
  indexElement,
  type KeyElement,
  type KeyField,
  keyElement,
  makePath,
  type Path,
  type PathElement,
  type PathPart,
  parseElement,
  serializeElement,
  type ValueElement,
  valueElement,
} from './path-element.js'
export { reconcileFieldSetWithSchema } from './reconcile-schema.js'
export { type ReplicasPaths, ScaleHandler } from './scale-handler.js'
export { SchemaError, type SchemaProblem } from './schema-error.js'
export { type ExtractItemsOptions, fieldSetOf, type TypedOptions, TypedValue } from './typed-value.js'
