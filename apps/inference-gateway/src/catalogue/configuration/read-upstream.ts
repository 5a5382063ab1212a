import {
  CAPABILITIES,
  HttpUpstreamDto,
  type Loc,
  type ModelKind,
  type UpstreamDto,
  type UpstreamModelDto,
} from '@hone/contracts';
import { readServerKey, readServerUrl, type ReadVariable } from '@hone/platform/configuration-file';

import { DEFAULT_HEALTH_LIMITS, DEFAULT_LIMITS } from '../../dispatch/policy/limits.js';
import { ANSWERED, CHAT, type Endpoint } from '../../shared/endpoint.js';
import { MESSAGE_PARAMETERS } from '../../targets/http/anthropic/to-message.js';
import { DEFAULT_MAX_BATCH, type HttpModel, type HttpUpstreamSettings } from '../../targets/http/http-settings.js';
import type { Dialect } from '../../targets/http/request/dialect.js';
import { GEMINI_PARAMETERS } from '../../targets/http/request/gemini-fields.js';
import type { HonouredParameters } from '../../targets/http/request/parameters.js';
import type { AdapterSettings, VllmUpstreamSettings } from '../../targets/vllm/adapter-settings.js';
import type { UpstreamConfiguration } from './gateway-configuration.js';
import { setLimits } from './set-limits.js';

/** Refuses the file. @param field of the upstream */
type Fail = (field: Loc, reason: string) => never;

const DEFAULT_CONCURRENCY = 64;
/** The engine has a queue of its own, which knows its batches. */
const EMBEDDED_CONCURRENCY = 10_000;

/** The embedded engine where the file does not name it. */
export const EMBEDDED: UpstreamConfiguration = {
  name: 'local',
  engine: { kind: 'embedded', name: 'local' },
  isEnabled: true,
  maxConcurrency: EMBEDDED_CONCURRENCY,
  limits: {},
  health: DEFAULT_HEALTH_LIMITS,
};

export function readUpstream(dto: UpstreamDto, readVariable: ReadVariable, fail: Fail): UpstreamConfiguration {
  const { name } = dto;
  const isHttp = dto instanceof HttpUpstreamDto;
  return {
    name,
    engine: isHttp ? readHttp(dto, readVariable, fail) : { kind: 'embedded', name },
    isEnabled: dto.enabled ?? true,
    maxConcurrency: dto.max_concurrency ?? (isHttp ? DEFAULT_CONCURRENCY : EMBEDDED_CONCURRENCY),
    limits: setLimits(dto, DEFAULT_LIMITS),
    health: { ...DEFAULT_HEALTH_LIMITS, ...setLimits(dto, DEFAULT_HEALTH_LIMITS) },
  };
}

function readHttp(
  dto: HttpUpstreamDto,
  readVariable: ReadVariable,
  fail: Fail,
): HttpUpstreamSettings | VllmUpstreamSettings {
  const dialect = dto.dialect ?? 'generic';
  const adapters = readAdapters(dto, fail);
  const server = {
    name: dto.name,
    baseUrl: readServerUrl(dto.base_url, 'key_env', (reason) => fail(['base_url'], reason)),
    ...readKeys(dto, readVariable, fail),
    key: dto.key_env ? readServerKey(dto.key_env, readVariable, (reason) => fail(['key_env'], reason)) : null,
    ...(dto.query && { query: dto.query }),
    dialect,
    apiVersion: readApiVersion(dto, fail),
    parameters: dto.params ?? PARAMETERS[dialect] ?? 'openai',
    usage: dto.usage ?? 'include',
    hasTokenFrames: dto.token_frames ?? false,
    connections: dto.connections ?? 128,
    connectMs: dto.connect_ms ?? 3_000,
    models: readModels(dto, fail),
  };
  return adapters === null ? { kind: 'openai-compatible', ...server } : { kind: 'vllm', ...server, adapters };
}

function readApiVersion({ dialect, api_version: version }: HttpUpstreamDto, fail: Fail): string | null {
  if (version && dialect !== 'azure') fail(['api_version'], 'Only an upstream with dialect: azure has versions');
  return version ?? null;
}

/** Request fields that upstreams of a dialect honour; others: those of OpenAI. */
const PARAMETERS: Partial<Record<Dialect, HonouredParameters>> = {
  vllm: 'all',
  anthropic: MESSAGE_PARAMETERS,
  gemini: GEMINI_PARAMETERS,
};
/** What they answer beside chats. */
const SPOKEN: Partial<Record<Dialect, readonly Endpoint[]>> = { vllm: ['completions'], anthropic: ['messages'] };

/** How the server knows its callers. */
function readKeys(dto: HttpUpstreamDto, readVariable: ReadVariable, fail: Fail): Partial<HttpUpstreamSettings> {
  const { keys, key_env: keyEnv, key_header: keyHeader } = dto;
  const header = keyHeader ? { keyHeader } : {};
  if (!keys) return header;
  if (keyEnv) fail(['keys'], 'The key is in key_env already');
  if (keys.length === 0) fail(['keys'], 'List should have at least 1 item');
  const twice = keys.findIndex((name, at) => keys.indexOf(name) < at);
  if (twice >= 0) fail(['keys', twice], `The variable is there twice: ${keys[twice]}`);
  const { outMs, coolingMs } = { ...DEFAULT_HEALTH_LIMITS, ...setLimits(dto, DEFAULT_HEALTH_LIMITS) };
  const read = keys.map((name, at) => ({
    name,
    value: readServerKey(name, readVariable, (reason) => fail(['keys', at], reason)),
  }));
  return { ...header, keys: read, keyPauses: { outMs, coolingMs } };
}

const DEFAULT_LOAD_MS = 60_000;

/** Null: trained models are not loaded into the server. */
function readAdapters({ lora, dialect, models }: HttpUpstreamDto, fail: Fail): AdapterSettings | null {
  if (!lora || lora.enabled === false) return null;
  if (dialect !== 'vllm') fail(['lora'], 'Only an upstream with dialect: vllm loads adapters');
  const bases = lora.bases ?? models.map(({ name }) => name);
  const unknown = bases.findIndex((base) => models.every(({ name }) => name !== base));
  if (unknown >= 0) fail(['lora', 'bases', unknown], `The upstream has no model ${bases[unknown]}`);
  const maxComputed = lora.max_loras ?? 1;
  const maxLoaded = lora.max_cpu_loras ?? maxComputed;
  if (maxLoaded < maxComputed) fail(['lora', 'max_cpu_loras'], 'Input should be at least max_loras');
  return {
    bases,
    maxLoaded,
    folder: lora.folder ?? null,
    pathMap: Object.entries(lora.adapter_path_map ?? {}),
    loadMs: lora.load_ms ?? DEFAULT_LOAD_MS,
  };
}

/** @param spoken what a model of chats answers beside them */
const endpointsOf = (kind: UpstreamModelDto['kind'], spoken: readonly Endpoint[]): readonly Endpoint[] =>
  (kind ?? 'chat') === 'chat' ? [CHAT, ...spoken] : ANSWERED[kind as ModelKind];

function readModels({ models, dialect, speaks }: HttpUpstreamDto, fail: Fail): HttpModel[] {
  const twice = models.findIndex(({ name }, at) => models.findIndex((other) => other.name === name) < at);
  if (twice >= 0) fail(['models', twice, 'name'], `The model is there twice: ${models[twice]?.name}`);
  // vLLM has all capabilities, whatever the model; of other servers they are unknown.
  const capabilities = dialect === 'vllm' ? CAPABILITIES : null;
  const spoken: readonly Endpoint[] = speaks ?? SPOKEN[dialect ?? 'generic'] ?? [];
  return models.map((model) => {
    const declared = model.capabilities ?? capabilities;
    return {
      name: model.name,
      endpoints: new Set(endpointsOf(model.kind, spoken)),
      maxBatch: model.max_batch ?? DEFAULT_MAX_BATCH,
      contextLength: model.context_length ?? null,
      ...(model.n === 1 && { maxChoices: 1 as const }),
      capabilities: declared && new Set(declared),
      readsImages: model.capabilities?.includes('vision') ?? false,
    };
  });
}
