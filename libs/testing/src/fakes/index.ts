export * from './fake-upstream/index.js';
export * from './fake-vllm/index.js';
