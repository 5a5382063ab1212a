import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import { urlsVariable } from './config/proxy.config.js';
import { SERVICES } from './routes/routes.js';

const ROOT = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

interface ComposeService {
  image: string;
  build?: { context: string; dockerfile: string; args: { APP: string } };
  environment?: Record<string, string>;
  ports?: string[];
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: unknown;
  stop_grace_period?: string;
}

/** Seconds that a service takes at most: 10 for running requests, and some for what it writes after them. */
const STOP_S = 11.5;

interface ComposeFile {
  services: Record<string, ComposeService>;
  volumes: Record<string, unknown>;
}

describe('docker-compose.yml', () => {
  const text = read('docker-compose.yml');
  const file = parse(text, { merge: true }) as ComposeFile;
  const { services } = file;

  it('is readable by Compose 1.29 and 2 alike', () => {
    expect(Object.keys(file).filter((key) => !key.startsWith('x-'))).toEqual(['services', 'volumes']);
    expect(read('deploy/Dockerfile')).not.toMatch(/^# ?syntax=|RUN --mount|COPY --(parents|link)|<<\w/m);
  });

  it('runs every service from its own image, after the migrations', () => {
    for (const service of [...SERVICES, 'trainer']) {
      expect(services[service]).toMatchObject({
        image: `hone/${service}`,
        build: { context: '.', dockerfile: 'deploy/Dockerfile', args: { APP: service } },
        depends_on: { migrate: { condition: 'service_completed_successfully' } },
      });
    }
    expect(services['migrate']?.depends_on).toEqual({ postgres: { condition: 'service_healthy' } });
  });

  it('publishes nothing but the one address', () => {
    const published = Object.entries(services).filter(([, { ports }]) => ports);
    expect(published.map(([name, { ports }]) => [name, ports])).toEqual([
      ['nginx', ['${HONE_HOST:-0.0.0.0}:${HONE_PORT:-8080}:80']],
    ]);
  });

  it('works without any setting, and holds no secret beyond the private network', () => {
    for (const [, variable, operator] of text.replace(/^\s*#.*$/gm, '').matchAll(/\$\{(\w+)(:-|\}|:\?)/g))
      expect([variable, operator]).toEqual([variable, ':-']);
    const knowing = Object.entries(services).filter(([, { environment }]) => environment?.['HONE_BOOTSTRAP_API_KEY']);
    expect(knowing.map(([name]) => name)).toEqual(['accounts']);
  });

  it('keeps database and key in volumes', () => {
    expect(services['postgres']?.volumes).toEqual(['postgres:/var/lib/postgresql/data']);
    expect(services['accounts']?.volumes).toEqual(['data:/data']);
    expect(Object.keys(file.volumes)).toEqual(['postgres', 'data']);
  });

  it('has one artifact store for the services that write checkpoints and those that read them', () => {
    for (const service of ['training', 'trainer', 'inference-gateway'])
      expect(services[service]?.volumes).toEqual(['data:/data']);
  });

  it('stops nginx and the services together, and waits for what they have to say', () => {
    expect(services['nginx']?.depends_on).toBeUndefined();
    for (const name of [...SERVICES, 'trainer', 'overview', 'nginx'])
      expect(parseInt(services[name]?.stop_grace_period ?? '', 10)).toBeGreaterThan(STOP_S);
  });

  it('tells the overview where every service is', () => {
    const expected = SERVICES.map((service) => [urlsVariable(service), `http://${service}:3000`]);
    expect(services['overview']?.environment).toEqual({
      ...Object.fromEntries(expected),
      HONE_TRUSTED_PROXIES: 'uniquelocal',
      HONE_OTLP_GRPC_PORT: 4317,
    });
  });
});

describe('deploy/docker-compose.service.yml', () => {
  const { services } = parse(read('deploy/docker-compose.service.yml'), { merge: true }) as ComposeFile;

  it('runs one service after the migrations, without a Postgres of its own', () => {
    expect(Object.keys(services)).toEqual(['migrate', 'service']);
    expect(services['service']).toMatchObject({
      image: 'hone/${APP:-trace}',
      depends_on: { migrate: { condition: 'service_completed_successfully' } },
    });
    expect(parseInt(services['service']?.stop_grace_period ?? '', 10)).toBeGreaterThan(STOP_S);
  });
});

describe('deploy/docker-compose.engines.yml', () => {
  const text = read('deploy/docker-compose.engines.yml');
  const { services, volumes } = parse(text) as ComposeFile;
  const base = (parse(read('docker-compose.yml'), { merge: true }) as ComposeFile).services;

  it('adds the engines, built from tools/engines, and publishes neither', () => {
    const added = Object.keys(services).filter((name) => !(name in base));
    expect(added).toEqual(['vllm', 'skyrl']);
    for (const name of added) {
      expect(services[name]).toMatchObject({ image: `hone/engine-${name}`, build: { args: { ENGINE: name } } });
      expect(services[name]?.ports).toBeUndefined();
    }
    expect(Object.keys(volumes)).toEqual(['skyrl']);
  });

  it('leaves the services the volumes that they have, as Compose replaces none of them', () => {
    for (const name of ['inference-gateway', 'training', 'trainer']) {
      expect(services[name]?.volumes).toEqual(expect.arrayContaining(base[name]?.volumes ?? ['none']));
    }
  });

  it('shares the folder of adapters with vLLM under one path, read-only, at the address of the upstreams file', () => {
    expect(services['vllm']?.volumes).toContain('data:/data:ro');
    const file = parse(read('tools/engines/compose.upstreams.yaml')) as {
      upstreams: { base_url?: string; lora?: object; models?: { name: string }[] }[];
    };
    const limit = Number(services['vllm']?.environment?.['ENGINE_MAX_ADAPTERS']);
    expect(file.upstreams[0]).toMatchObject({ base_url: 'http://vllm:8000/v1', lora: { max_loras: limit } });
    expect(file.upstreams[0]?.lora).not.toHaveProperty('adapter_path_map');
  });

  it('has files for what it mounts', () => {
    const mounted = [...text.matchAll(/:-(\.\/[^}]+)\}/g)].map(([, path]) => path as string);
    expect(mounted.length).toBeGreaterThan(3);
    for (const path of mounted) expect(existsSync(join(ROOT, path))).toBe(true);
  });
});
