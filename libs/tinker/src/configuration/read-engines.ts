import { EngineBaseModelDto, EngineDto, EnginesFileDto, type Loc, TinkerEngineDto } from '@hone/contracts';
import {
  readServerKey,
  readServerUrl,
  type ReadVariable,
  SourceFile,
  validated,
} from '@hone/platform/configuration-file';

import {
  EMBEDDED,
  type EngineList,
  type EngineSettings,
  type RemoteBaseModel,
  type TinkerSettings,
} from './engine-settings.js';

const MAX_MODELS = 1_000;

/**
 * Reads an engines file.
 *
 * @param file its name, for errors
 * @param text YAML or JSON
 * @param readVariable for the keys of servers
 * @throws ConfigurationError with the line and the reason
 */
export function readEngines(file: string, text: string, readVariable: ReadVariable): EngineList {
  const source = new SourceFile(file, text);
  const dto = validated(source, EnginesFileDto, source.value ?? {}, []);
  const engines = dto.engines.map((item, index) => readEngine(source, item, ['engines', index], readVariable));
  const twice = engines.findIndex(({ name }, at) => engines.findIndex((other) => other.name === name) < at);
  if (twice >= 0) source.fail(['engines', twice, 'name'], `The name of another engine: ${engines[twice]?.name}`);
  const embedded = engines.filter(({ kind }) => kind === 'embedded');
  if (embedded.length > 1) source.fail(['engines'], 'The embedded engine is listed more than once');
  if (embedded.length === 1) return engines;
  const taken = engines.findIndex(({ name }) => name === EMBEDDED.name);
  if (taken >= 0) source.fail(['engines', taken, 'name'], `The name ${EMBEDDED.name} is the embedded engine's`);
  return [...engines, EMBEDDED];
}

function readEngine(source: SourceFile, item: object, loc: Loc, readVariable: ReadVariable): EngineSettings {
  if ((item as Partial<EngineDto>).kind !== 'tinker') {
    return { kind: 'embedded', name: validated(source, EngineDto, item, loc).name };
  }
  const dto = validated(source, TinkerEngineDto, item, loc);
  const fail = (field: Loc, reason: string) => source.fail([...loc, ...field], reason);
  const { lora } = dto;
  const maxBatch = dto.max_batch ?? 64;
  if ((maxBatch & (maxBatch - 1)) !== 0) fail(['max_batch'], 'Input should be a power of two');
  return {
    kind: 'tinker',
    name: dto.name,
    url: readServerUrl(dto.url, 'api_key_env', (reason) => fail(['url'], reason)),
    apiKey: dto.api_key_env
      ? readServerKey(dto.api_key_env, readVariable, (reason) => fail(['api_key_env'], reason))
      : null,
    baseModels: readBaseModels(source, dto.base_models, [...loc, 'base_models']),
    reduction: dto.reduction ?? 'sequence_mean',
    gradientClip: dto.gradient_clip ?? 'none',
    lora: {
      rank: lora?.rank ?? 32,
      alpha: lora?.alpha ?? 32,
      trainAttention: lora?.train_attn ?? true,
      trainMlp: lora?.train_mlp ?? true,
      trainUnembed: lora?.train_unembed ?? false,
    },
    maxBatch,
    maxContext: dto.max_context ?? null,
    concurrency: dto.concurrency ?? 2,
    archiveHosts: (dto.archive_hosts ?? []).map((host) => host.toLowerCase()),
  } satisfies TinkerSettings;
}

function readBaseModels(
  source: SourceFile,
  models: Record<string, object | null>,
  loc: Loc,
): ReadonlyMap<string, RemoteBaseModel> {
  const entries = Object.entries(models);
  if (entries.length === 0) source.fail(loc, 'Map should have at least 1 model');
  if (entries.length > MAX_MODELS) source.fail(loc, `Map should have at most ${MAX_MODELS} models`);
  return new Map(
    entries.map(([name, value]) => {
      const { served_as, path } = validated(source, EngineBaseModelDto, value ?? {}, [...loc, name]);
      return [name, { servedAs: served_as ?? name, path: path ?? null }];
    }),
  );
}
