import { gzipSync } from 'node:zlib';

import { Header } from 'tar';

const BLOCK_BYTES = 512;
/** Layers and width of `hone-tiny`. */
const LAYERS = 4;
const WIDTH = 128;
const SHAPES: Readonly<Record<string, readonly [out: number, columns: number]>> = {
  q_proj: [WIDTH, WIDTH],
  v_proj: [WIDTH, WIDTH],
  down_proj: [WIDTH, 384],
};

/** An entry of a tar archive, also one that no program would write. */
export interface TarEntry {
  path: string;
  content?: Buffer | string;
  /** As the library names it. Default: `File`. */
  type?: 'File' | 'Directory' | 'SymbolicLink' | 'Link' | 'FIFO' | 'CharacterDevice' | 'ExtendedHeader';
  linkpath?: string;
  /** What the header claims. Default: the size of the content. */
  size?: number;
}

export function tarOf(entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap(({ path, content = '', type = 'File', linkpath, size }) => {
    const bytes = Buffer.from(content);
    const block = Buffer.alloc(BLOCK_BYTES);
    new Header({
      path,
      type,
      size: size ?? bytes.length,
      mode: 0o644,
      mtime: new Date(),
      ...(linkpath && { linkpath }),
    }).encode(block, 0);
    return [block, bytes, Buffer.alloc(-bytes.length & (BLOCK_BYTES - 1))];
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK_BYTES)]);
}

export const archiveOf = (entries: readonly TarEntry[]): Buffer => gzipSync(tarOf(entries), { level: 1 });

export type TensorEntries = Record<string, { dtype: string; shape: readonly number[]; bytes: Buffer }>;

/** A safetensors file. @param header replaces the entries of tensors in its header */
export function safetensorsOf(tensors: TensorEntries, header: Record<string, unknown> = {}): Buffer {
  let offset = 0;
  const entries = Object.entries(tensors).map(([name, { dtype, shape, bytes }]) => {
    return [name, { dtype, shape, data_offsets: [offset, (offset += bytes.length)] }];
  });
  const text = Buffer.from(JSON.stringify({ ...Object.fromEntries(entries), ...header }));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, ...Object.values(tensors).map(({ bytes }) => bytes)]);
}

export interface AdapterOptions {
  rank?: number;
  alpha?: number;
  targets?: string[];
  /** Size of the numbers: with 0, the adapter changes nothing. */
  size?: number;
  /** Stored numbers are 16 or 32 bits. */
  dtype?: 'F32' | 'BF16';
}

/** An adapter of `hone-tiny` as PEFT saves it: fields of its configuration, and its tensors by name. */
export function anAdapter({
  rank = 2,
  alpha = 16,
  targets = ['q_proj', 'down_proj'],
  size = 0.2,
  dtype = 'F32',
}: AdapterOptions = {}) {
  const tensors: TensorEntries = {};
  let state = 1;
  const tensor = (shape: number[]) => {
    // Numerical Recipes' linear congruential generator.
    const next = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32 - 0.5;
    const numbers = Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () => next() * size);
    const words = new Uint16Array(numbers.buffer).filter((_, at) => at % 2 === 1);
    return { dtype, shape, bytes: Buffer.from(dtype === 'F32' ? numbers.buffer : words.buffer) };
  };
  for (let layer = 0; layer < LAYERS; layer++) {
    for (const target of targets) {
      const [out, columns] = SHAPES[target] as readonly [number, number];
      const path = `base_model.model.model.layers.${layer}.${target === 'down_proj' ? 'mlp' : 'self_attn'}.${target}`;
      tensors[`${path}.lora_A.weight`] = tensor([rank, columns]);
      tensors[`${path}.lora_B.weight`] = tensor([out, rank]);
    }
  }
  const config = {
    ...{
      alpha_pattern: {},
      auto_mapping: null,
      base_model_name_or_path: 'org/base',
      bias: 'none',
      inference_mode: true,
    },
    ...{ init_lora_weights: true, lora_alpha: alpha, lora_dropout: 0.05, modules_to_save: null, peft_type: 'LORA' },
    ...{ peft_version: '0.19.1', r: rank, rank_pattern: {}, target_modules: targets, task_type: 'CAUSAL_LM' },
  };
  return { config: config as Record<string, unknown>, tensors };
}

/** The adapter's two files, in a folder or not. */
export const filesOf = ({ config, tensors }: ReturnType<typeof anAdapter>, folder = ''): [TarEntry, TarEntry] => [
  { path: `${folder}adapter_config.json`, content: JSON.stringify(config) },
  { path: `${folder}adapter_model.safetensors`, content: safetensorsOf(tensors) },
];
