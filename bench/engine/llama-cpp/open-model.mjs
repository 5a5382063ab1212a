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
