import type { FolderFile, TempFolder } from '@hone/artifacts';
import type { TrainingDataKind, TrainingDataPreviewDto } from '@hone/contracts';

import type { Split } from './arrange.js';
import type { Line } from './entry.js';
import type { Spool } from './spool.js';

const MAX_PREVIEWS = 3;
const MAX_PREVIEW_BYTES = 65_536;
const MAX_PREVIEW_IDS = 5;
/** Lines are joined into writes of about this size. */
const CHUNK_BYTES = 1_048_576;

export const fileOf = ({ name }: Split): string => `${name}.jsonl`;

/** Writes the splits into a folder, one file each. @throws ArtifactTooLargeError, StorageUnavailableError */
export async function writeSplits(
  splits: readonly Split[],
  kind: TrainingDataKind,
  spool: Spool,
  folder: TempFolder,
  limitBytes: number,
): Promise<FolderFile[]> {
  const files: FolderFile[] = [];
  for (const split of splits) {
    const maxBytes = limitBytes - files.reduce((sum, { bytes }) => sum + bytes, 0);
    files.push(await folder.put(fileOf(split), chunksOf(split, kind, spool), { maxBytes }));
  }
  return files;
}

/** The first lines. */
export async function previewOf(
  splits: readonly Split[],
  kind: TrainingDataKind,
  spool: Spool,
): Promise<TrainingDataPreviewDto[]> {
  const first = splits.flatMap(({ name, lines }) => lines.slice(0, MAX_PREVIEWS).map((line) => ({ name, line })));
  const previews: TrainingDataPreviewDto[] = [];
  for (const { name, line } of first.slice(0, MAX_PREVIEWS)) {
    const isShort =
      line.reduce((sum, { slot, question }) => sum + slot.bytes + (question?.bytes ?? 0), 0) <= MAX_PREVIEW_BYTES;
    const text = isShort ? await joined(textOf(line, kind, spool)) : null;
    const ids = [...new Set(line.map(({ id }) => id))].slice(0, MAX_PREVIEW_IDS);
    previews.push({ split: name, call_ids: ids, line: text === null ? null : JSON.parse(text) });
  }
  return previews;
}

async function joined(pieces: AsyncIterable<Buffer>): Promise<string> {
  const all: Buffer[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all).toString();
}

async function* chunksOf({ lines }: Split, kind: TrainingDataKind, spool: Spool): AsyncGenerator<Buffer> {
  let pending: Buffer[] = [];
  let bytes = 0;
  for (const line of lines) {
    for await (const piece of textOf(line, kind, spool)) {
      pending.push(piece);
      bytes += piece.length;
      if (bytes < CHUNK_BYTES) continue;
      yield Buffer.concat(pending);
      [pending, bytes] = [[], 0];
    }
  }
  yield Buffer.concat(pending);
}

const [HEAD, COMMA, TAIL, LINE_FEED] = ['{"trajectories":[', ',', ']}', '\n'].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
  Buffer,
];
const [OPEN, CHOSEN, REJECTED, CLOSE] = ['{', ',"chosen":', ',"rejected":', '}'].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
  Buffer,
];

async function* textOf(line: Line, kind: TrainingDataKind, spool: Spool): AsyncGenerator<Buffer> {
  if (kind === 'preference') yield* pairText(line, spool);
  else {
    if (kind === 'rl') yield HEAD;
    for (const [index, { slot }] of line.entries()) {
      if (index > 0) yield COMMA;
      yield await spool.read(slot);
    }
    if (kind === 'rl') yield TAIL;
  }
  yield LINE_FEED;
}

async function* pairText([chosen, rejected]: Line, spool: Spool): AsyncGenerator<Buffer> {
  if (!chosen?.question || !rejected) return;
  yield OPEN;
  yield await spool.read(chosen.question);
  yield CHOSEN;
  yield await spool.read(chosen.slot);
  yield REJECTED;
  yield await spool.read(rejected.slot);
  yield CLOSE;
}
