// kubewright/meta: shapes, options, errors, patches, selectors, names, quantities and times that all rooms share. No I/O.
export type { Condition, LabelSelector, ListMeta, ObjectMeta, OwnerReference, Status } from '../gen/api/meta/v1.js'
export type { Duration, IntOrString, MicroTime, Quantity as QuantityText, Time } from '../gen/scalars.js'
export { compareText } from './compare-text.js'
export {
  type ConditionInput,
  findStatusCondition,
  isStatusConditionFalse,
  isStatusConditionPresentAndEqual,
  isStatusConditionTrue,
  removeStatusCondition,
  type SetStatusConditionOptions,
  setStatusCondition,
} from './conditions.js'
export { decodeYAMLOrJSON } from './decode-yaml-or-json.js'
export { deepCopy } from './deep-copy.js'
export { defineResource, type ResourceDefinition, type WrittenOf } from './define-resource.js'
export {
  dns1123SubdomainWithUnderscoreProblems,
  domainPrefixedKeyProblems,
  domainPrefixedPathProblems,
  fullyQualifiedDomainNameProblems,
  fullyQualifiedNameProblems,
  wildcardDNS1123SubdomainProblems,
} from './domain-names.js'
export { formatDuration, parseDuration, parseDurationNanoseconds } from './duration.js'
export {
  ApiError,
  addToMessage,
  asApiError,
  hasStatusCause,
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isExpiredOrGone,
  isForbidden,
  isGone,
  isInternalError,
  isInvalid,
  isMethodNotSupported,
  isNotAcceptable,
  isNotFound,
  isRequestEntityTooLarge,
  isResourceExpired,
  isServerTimeout,
  isServiceUnavailable,
  isStoreReadError,
  isTimeout,
  isTooManyRequests,
  isUnauthorized,
  isUnexpectedServerError,
  isUnsupportedMediaType,
  suggestsClientDelay,
} from './errors.js'
export {
  escapeFieldValue,
  type FieldRequirement,
  type FieldSelector,
  type Fields,
  fieldSelectorFromRequirements,
  fieldSelectorFromSet,
  parseFieldSelector,
  unescapeFieldValue,
} from './field-selector.js'
export {
  cIdentifierProblems,
  configMapKeyProblems,
  envVarNameProblems,
  groupIDProblems,
  httpHeaderNameProblems,
  percentProblems,
  portNameProblems,
  portNumProblems,
  relaxedEnvVarNameProblems,
  userIDProblems,
} from './field-values.js'
export { type FilterFunc, filterWatch, mapWatch } from './filter-watch.js'
export { addFinalizer, containsFinalizer, removeFinalizer } from './finalizers.js'
export { goNumber, goType, goValue, isInt64 } from './go-format.js'
export { goJson, goQuote } from './go-quote.js'
export { goUnquote } from './go-unquote.js'
export {
  checkGroupVersion,
  formatGroupResource,
  formatGroupVersion,
  formatGroupVersionKind,
  formatGroupVersionResource,
  type GroupKind,
  type GroupResource,
  type GroupVersion,
  parseGroupKind,
  parseGroupResource,
  parseGroupVersion,
  parseKindArg,
  parseResourceArg,
} from './group-version.js'
export { humanDuration, shortHumanDuration } from './human-duration.js'
export { getScaledValueFromIntOrPercent, parseIntOrString, type ScaleOptions } from './int-or-string.js'
export { cidrProblems, interfaceAddressProblems, ipProblems } from './ip-problems.js'
export { isNumber } from './is-number.js'
export { isObject } from './is-object.js'
export { type GroupVersionKind, type GroupVersionResource, type Kind, kind, type Subresource } from './kind.js'
export { labelSelectorAsSelector, parseToLabelSelector } from './label-selector.js'
export {
  everything,
  type Labels,
  labelKeyProblems,
  labelValueProblems,
  newRequirement,
  nothing,
  type Operator,
  parseLabelSelector,
  type Requirement,
  type Selector,
  selectorFromRequirements,
  selectorFromSet,
} from './labels/index.js'
export { parseLossless } from './lossless-integers.js'
export { ownMember, setMember } from './members.js'
export { messageOf } from './message-of.js'
export { hasAnnotation, hasLabel, setMetaDataAnnotation, setMetaDataLabel } from './meta-data-maps.js'
export {
  annotationsProblems,
  finalizersProblems,
  generateNameProblems,
  ownerReferencesProblems,
} from './metadata-problems.js'
export {
  type NameGenerator,
  newSimpleNameGenerator,
  type SimpleNameGeneratorOptions,
  safeEncodeString,
  simpleNameGenerator,
} from './name-generator.js'
export {
  dns1035LabelProblems,
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  pathSegmentNameProblems,
} from './names.js'
export type { DeepReadonly, KubernetesList, KubernetesObject, ObjectMetaLike, StoredList } from './object.js'
export type {
  ApplyOptions,
  CallOptions,
  CreateOptions,
  DeleteOptions,
  DeletionPropagation,
  FieldValidation,
  GetOptions,
  ListOptions,
  PatchOptions,
  UpdateOptions,
  WriteOptions,
} from './options.js'
export {
  AlreadyOwnedError,
  getControllerOf,
  hasControllerReference,
  hasOwnerReference,
  isControlledBy,
  type MutableOwnedObject,
  newControllerRef,
  type OwnedObject,
  type OwnerObject,
  type OwnerReferenceOptions,
  removeControllerReference,
  removeOwnerReference,
  setControllerReference,
  setOwnerReference,
} from './owner-references.js'
export { applyPatch, type JsonPatchOperation, jsonPatch, mergePatch, type Patch, strategicMergePatch } from './patch.js'
export { type NewQuantityOptions, newQuantity, parseQuantity, Quantity } from './quantity.js'
export { QuantityError, type QuantityFormat } from './quantity-parse.js'
export { compareResourceVersion } from './resource-version.js'
export type { FieldSchema, ListSchema, MapSchema, ScalarSchema, Schema, StructSchema, UntypedSchema } from './schema.js'
export { base64ToBytes, bytesToBase64, encodeSecretData, type SecretLike, secretData } from './secret-data.js'
export { deepDerivative, equalSemantic } from './semantic-equality.js'
export { shown } from './shown.js'
export {
  formatMicroTime,
  formatTime,
  type Instant,
  parseMicroTime,
  parseMicroTimeNanoseconds,
  parseTime,
  parseTimeNanoseconds,
} from './time.js'
export {
  nestedBool,
  nestedFieldCopy,
  nestedFieldNoCopy,
  nestedInt64,
  nestedMap,
  nestedNullCoercingStringMap,
  nestedNumberAsFloat64,
  nestedSlice,
  nestedString,
  nestedStringMap,
  nestedStringSlice,
  removeNestedField,
  setNestedField,
  type Unstructured,
  type UnstructuredInput,
  type UnstructuredList,
} from './unstructured.js'
export type { Watch, WatchEvent } from './watch-event.js'
export { type ParseYAMLOptions, parseYAML, YAMLSyntaxError } from './yaml.js'
