export { FakeVllm, type FakeVllmOptions } from './fake-vllm.js';
