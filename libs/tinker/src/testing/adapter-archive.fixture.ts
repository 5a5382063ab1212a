import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { DecoderShape } from '@hone/engine';
import { create } from 'tar';

export interface ArchiveOptions {
  readonly rank?: number;
  /** Changes the values of the tensors before they are packed. */
  readonly spoil?: (values: Float32Array) => void;
  /** More entries: paths relative to the folder that is packed. */
  readonly more?: readonly string[];
}

/** What a training server gives: an adapter on every projection of a model, all values 0.01, as a packed tar archive. */
export async function anAdapterArchive(config: DecoderShape, options: ArchiveOptions = {}): Promise<Buffer> {
  const { rank = 4, spoil, more = [] } = options;
  const folder = mkdtempSync(join(tmpdir(), 'hone-archive-'));
  const root = join(folder, 'adapter');
  try {
    mkdirSync(root);
    writeFileSync(join(folder, 'x'), 'outside');
    writeFileSync(
      join(root, 'adapter_config.json'),
      JSON.stringify({
        peft_type: 'LORA',
        r: rank,
        lora_alpha: 32,
        target_modules: null,
        base_model_name_or_path: 'tiny',
      }),
    );
    writeFileSync(join(root, 'adapter_model.safetensors'), safetensors(config, rank, spoil));
    const packed = create({ cwd: root, gzip: true, preservePaths: true }, ['.', ...more]);
    const chunks: Buffer[] = [];
    for await (const chunk of packed) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function safetensors(config: DecoderShape, rank: number, spoil: ArchiveOptions['spoil']): Buffer {
  const { hiddenSize: hidden, intermediateSize: inner, numHeads, numKvHeads, headDim } = config;
  const [heads, kv] = [numHeads * headDim, numKvHeads * headDim];
  const modules: [string, number, number][] = [
    ['self_attn.q_proj', hidden, heads],
    ['self_attn.k_proj', hidden, kv],
    ['self_attn.v_proj', hidden, kv],
    ['self_attn.o_proj', heads, hidden],
    ['mlp.gate_proj', hidden, inner],
    ['mlp.up_proj', hidden, inner],
    ['mlp.down_proj', inner, hidden],
  ];
  const header: Record<string, object> = {};
  let end = 0;
  for (let layer = 0; layer < config.numLayers; layer++) {
    for (const [module, inputs, outputs] of modules) {
      for (const [part, shape] of [
        ['A', [rank, inputs]],
        ['B', [outputs, rank]],
      ] as const) {
        const name = `base_model.model.model.layers.${layer}.${module}.lora_${part}.weight`;
        const bytes = 4 * shape[0] * shape[1];
        header[name] = { dtype: 'F32', shape, data_offsets: [end, (end += bytes)] };
      }
    }
  }
  const values = new Float32Array(end / 4).fill(0.01);
  spoil?.(values);
  const text = JSON.stringify(header);
  const padded = Buffer.from(text.padEnd(Math.ceil(text.length / 8) * 8));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(padded.length));
  return Buffer.concat([size, padded, Buffer.from(values.buffer)]);
}
