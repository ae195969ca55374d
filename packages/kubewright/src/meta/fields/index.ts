// Fields: selectors by the values of a few fields.
export {
  escapeFieldValue,
  type FieldRequirement,
  type FieldSelector,
  type Fields,
  fieldSelectorFromRequirements,
  fieldSelectorFromSet,
  parseFieldSelector,
  unescapeFieldValue,
} from './selector.js'
