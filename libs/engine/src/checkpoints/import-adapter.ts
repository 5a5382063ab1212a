import { join } from 'node:path';

import { largestMagnitude } from '../finite.js';
import type { DecoderShape } from '../model/config/decoder-shape.js';
import { writeSafetensorsStream } from '../model/weights/safetensors-writer.js';
import type { ProjectionName } from '../train/trained-parameters.js';
import { AdapterDamagedError } from './checkpoint.errors.js';
import type { CheckpointState } from './checkpoint.js';
import { ADAPTER_WEIGHTS_FILE, PEFT_PREFIX, PeftAdapterFile } from './open-adapter.js';
import { adapterConfigFile, METADATA, stateFile, writeFiles, type WrittenCheckpoint } from './write-checkpoint.js';

/** Far below the largest float32, 3.4e38: nothing that the base's own weights add can overflow it. */
const MAX_PRODUCT = 1e37;

/** Which adapter becomes a checkpoint of which base model. */
export interface AdapterImport {
  /** Folder of `adapter_config.json` and `adapter_model.safetensors`. */
  readonly source: string;
  /** Of the base model. */
  readonly config: DecoderShape;
  /** Id of the base model, for the new configuration. */
  readonly baseModel: string;
  /** Of the program that made it. Absent: unknown. */
  readonly state?: CheckpointState;
}

const UNKNOWN_STATE: CheckpointState = { step: 0, optimizerSteps: 0, rng: null, config: { kind: 'import' } };

/** A checkpoint on disk, made from another program's adapter. */
export interface ImportedAdapter extends WrittenCheckpoint {
  /** Base model that the adapter's own configuration names; empty: it names none. */
  readonly namedBase: string;
  readonly rank: number;
  readonly alpha: number;
  readonly targets: readonly ProjectionName[];
}

/**
 * Checks an adapter in PEFT's layout, and writes it into `directory` as a checkpoint: float32, named as this engine
 * names tensors, without optimiser moments. One tensor is in memory at a time. The same adapter gives the same bytes.
 *
 * @throws AdapterDamagedError also when the adapter's values are too large for float32 once they are multiplied
 * @throws AdapterUnsupportedError
 */
export async function importPeftAdapter(
  directory: string,
  { source, config, baseModel, state = UNKNOWN_STATE }: AdapterImport,
): Promise<ImportedAdapter> {
  const file = await PeftAdapterFile.open(source, config);
  try {
    const { rank, alpha, baseModel: namedBase } = file.settings;
    const { targets } = file;
    const planned = file.tensors.map(({ name, shape }) => ({ name: PEFT_PREFIX + name, shape }));
    const sizes = new Map<string, number>();
    const read = async (name: string) => {
      const tensor = await file.read(name.slice(PEFT_PREFIX.length));
      sizes.set(name, largestMagnitude(tensor.data));
      return tensor;
    };
    const written = await writeFiles(directory, [
      adapterConfigFile({ baseModel, rank, alpha, targets }),
      [ADAPTER_WEIGHTS_FILE, (path) => writeSafetensorsStream(path, planned, read, METADATA)],
      stateFile('lora', state),
    ]);
    assertProductsFit(sizes, alpha, join(source, ADAPTER_WEIGHTS_FILE));
    return { ...written, namedBase, rank, alpha, targets };
  } finally {
    await file.close();
  }
}

/** No element of `alpha / rank`·B·A is larger than `alpha` times the largest of B times the largest of A. */
function assertProductsFit(sizes: ReadonlyMap<string, number>, alpha: number, path: string): void {
  for (const [name, size] of sizes) {
    const partner = sizes.get(name.replace(/lora_B\.weight$/, 'lora_A.weight')) ?? 0;
    if (!name.endsWith('lora_B.weight') || alpha * size * partner < MAX_PRODUCT) continue;
    throw new AdapterDamagedError(path, `${name} has values that are too large to be multiplied`);
  }
}
