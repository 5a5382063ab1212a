import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Constant, encodeGraph, type ExternalPlace, type Graph } from '../../graph/index.js';

const GRAPH_FILE = 'model.onnx';
const DATA_FILE = 'weights.bin';
/** Smaller constants stand in the graph's own bytes. */
const SMALL_BYTES = 1_024;
/** The runtime maps the file into memory: data begins at a page. */
const PAGE_BYTES = 4_096;

/**
 * Writes a graph with its large constants beside it, into a temporary folder: the runtime maps them into memory, and a
 * graph of over 2 GiB could not be opened otherwise.
 *
 * @returns the folder, to be removed when the session is open
 */
export async function writePackedFiles(graph: Graph): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hone-weights-'));
  try {
    const places = await writeData(join(folder, DATA_FILE), graph.constants);
    await writeFile(
      join(folder, GRAPH_FILE),
      // Where the runtime knows shapes, it compares each value with all before it for one to share memory with: 0.8 s of
      // 1.3 for 30 layers, and no run was faster for it, as freed memory is kept for the next value anyway.
      encodeGraph(graph, { placeOf: (constant) => places.get(constant) ?? null, hasShapes: false }),
    );
    return folder;
  } catch (error) {
    await removePackedFiles(folder);
    throw error;
  }
}

export const graphFileIn = (folder: string): string => join(folder, GRAPH_FILE);

export async function removePackedFiles(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

async function writeData(path: string, constants: readonly Constant[]): Promise<Map<Constant, ExternalPlace>> {
  const places = new Map<Constant, ExternalPlace>();
  const file = await open(path, 'w');
  try {
    let offset = 0;
    for (const constant of constants) {
      const { buffer, byteOffset, byteLength } = constant.data;
      if (byteLength < SMALL_BYTES) continue;
      await writeFully(file, new Uint8Array(buffer, byteOffset, byteLength), offset);
      places.set(constant, { file: DATA_FILE, offset, length: byteLength });
      offset = Math.ceil((offset + byteLength) / PAGE_BYTES) * PAGE_BYTES;
    }
  } finally {
    await file.close();
  }
  return places;
}

async function writeFully(file: Awaited<ReturnType<typeof open>>, data: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < data.length;) {
    const { bytesWritten } = await file.write(data, done, Math.min(data.length - done, 2 ** 30), position + done);
    done += bytesWritten;
  }
}
