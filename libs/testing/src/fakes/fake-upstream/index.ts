export { FakeUpstream, type FakeUpstreamOptions, type ReceivedRequest } from './fake-upstream.js';
export { BEHAVIOURS, type Behaviour, type Modifier, MODIFIERS } from './scenario.js';
