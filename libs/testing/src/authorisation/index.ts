export { userOf } from './actors.js';
export { type AccessRow, describeAuthorisation, type Sent } from './describe-authorisation.js';
export { type Target, type TargetKind } from './targets.js';
export { type AccessRule, ANY_KEY, ANY_SCOPED_KEY, byId, byKey, byProject, OTHERS_KEY } from './rules.js';
