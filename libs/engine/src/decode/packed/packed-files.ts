import { type FileHandle, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Constant, encodeGraph, type ExternalPlace, type Graph } from '../../graph/index.js';

const GRAPH_FILE = 'model.onnx';
const DATA_FILE = 'weights.bin';
/** Smaller constants stand in the graph's own bytes. */
const SMALL_BYTES = 1_024;
/** The runtime maps the file into memory: data begins at a page. */
const PAGE_BYTES = 4_096;

/** Builds a graph, and says of each constant that it is there. */
type BuildGraph = (onConstant: (constant: Constant) => void) => Graph;

export interface PackedFiles {
  /** To be removed when the session is open. */
  readonly folder: string;
  /** Of the constants. */
  readonly bytes: number;
}

/**
 * Writes a graph with its large constants beside it, into a temporary folder: the runtime maps them into memory, and a
 * graph of over 2 GiB could not be opened otherwise. Constants are written while the next are made.
 */
export async function writePackedFiles(build: BuildGraph): Promise<PackedFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'hone-weights-'));
  try {
    const data = await DataFile.create(join(folder, DATA_FILE));
    const encoded = await data.closeAfter(() => {
      const graph = build((constant) => data.add(constant));
      // Where the runtime knows shapes, it compares each value with all before it for one to share memory with: 0.8 s of
      // 1.3 for 30 layers, and no run was faster for it, as freed memory is kept for the next value anyway.
      return encodeGraph(graph, { placeOf: (constant) => data.places.get(constant) ?? null, hasShapes: false });
    });
    await writeFile(join(folder, GRAPH_FILE), encoded);
    return { folder, bytes: data.bytes };
  } catch (error) {
    await removePackedFiles(folder);
    throw error;
  }
}

export const graphFileIn = (folder: string): string => join(folder, GRAPH_FILE);

export async function removePackedFiles(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

/** Large constants, each at the beginning of a page. */
class DataFile {
  readonly places = new Map<Constant, ExternalPlace>();
  /** Of all constants, small ones included. */
  bytes = 0;
  private end = 0;
  private readonly writes: Promise<void>[] = [];

  private constructor(private readonly file: FileHandle) {}

  static async create(path: string): Promise<DataFile> {
    return new DataFile(await open(path, 'w'));
  }

  add(constant: Constant): void {
    const { buffer, byteOffset, byteLength } = constant.data;
    this.bytes += byteLength;
    if (byteLength < SMALL_BYTES) return;
    this.places.set(constant, { file: DATA_FILE, offset: this.end, length: byteLength });
    this.writes.push(writeFully(this.file, new Uint8Array(buffer, byteOffset, byteLength), this.end));
    this.end = Math.ceil((this.end + byteLength) / PAGE_BYTES) * PAGE_BYTES;
  }

  /** Closes the file when all that `work` adds is written, or it fails. */
  async closeAfter<T>(work: () => T): Promise<T> {
    try {
      const result = work();
      await Promise.all(this.writes);
      return result;
    } finally {
      await Promise.allSettled(this.writes);
      await this.file.close();
    }
  }
}

async function writeFully(file: FileHandle, data: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < data.length;) {
    const { bytesWritten } = await file.write(data, done, Math.min(data.length - done, 2 ** 30), position + done);
    done += bytesWritten;
  }
}
