import { getLlama } from 'node-llama-cpp';

/**
 * Opens a GGUF file on the CPU, with the build that lies in the package: nothing is compiled or downloaded.
 *
 * @param {string} file
 * @param {number} threads
 */
export async function openModel(file, threads) {
  const llama = await getLlama({
    gpu: false,
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    logLevel: 'error',
    maxThreads: threads,
  });
  return llama.loadModel({ modelPath: file, useMmap: false });
}

/**
 * A context for comparisons. Keys and values are kept in 16 bits otherwise, and the fused attention rounds to them: that
 * would be the whole difference.
 */
export function exactContext(model, contextSize) {
  return model.createContext({
    contextSize,
    flashAttention: false,
    experimentalKvCacheKeyType: 'F32',
    experimentalKvCacheValueType: 'F32',
  });
}
