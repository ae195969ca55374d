// Labels: selectors and the rules that keys and values follow.
export { type Labels, newRequirement, type Operator, type Requirement } from './requirement.js'
export {
  everything,
  nothing,
  parseLabelSelector,
  type Selector,
  selectorFromRequirements,
  selectorFromSet,
} from './selector.js'
export { labelKeyProblems, labelValueProblems } from './validation.js'
