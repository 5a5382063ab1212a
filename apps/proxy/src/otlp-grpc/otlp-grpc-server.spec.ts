import { type IncomingMessage, request as httpRequest, type RequestListener } from 'node:http';

import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import { Writer } from 'protobufjs/minimal.js';

import { type Rig, startRig } from '../testing/rig.js';
import { OtlpGrpcServer } from './otlp-grpc-server.js';

const TRACES = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
const LOGS = '/opentelemetry.proto.collector.logs.v1.LogsService/Export';
const METRICS = '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export';

const bytesOf = async (request: IncomingMessage) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
};

describe('OTLP over gRPC', () => {
  let rig: Rig;
  let grpc: OtlpGrpcServer;
  let client: Client;
  let seen: { url: string; headers: IncomingMessage['headers']; body: Buffer }[];
  let answer: RequestListener;
  beforeAll(async () => {
    rig = await startRig({
      trace: [
        async (request, response) => {
          seen.push({ url: request.url as string, headers: request.headers, body: await bytesOf(request) });
          answer(request, response);
        },
      ],
    });
    grpc = await OtlpGrpcServer.listen('127.0.0.1', 0, rig.proxy.origin);
    client = new Client(`127.0.0.1:${grpc.port}`, credentials.createInsecure());
  });
  beforeEach(() => {
    seen = [];
    answer = (_request, response) => response.end(Buffer.from([10, 0]));
  });
  afterAll(async () => {
    client.close();
    await grpc.close(1_000);
    await rig.stop();
  });

  const call = (path: string, body: Buffer, fields: Record<string, string> = {}, options = {}) =>
    new Promise<Buffer>((resolve, reject) => {
      const metadata = new Metadata(options);
      for (const [name, value] of Object.entries(fields)) metadata.set(name, value);
      const asIs = (bytes: Buffer) => bytes;
      client.makeUnaryRequest(path, asIs, asIs, body, metadata, {}, (error, message) =>
        error ? reject(error) : resolve(message as Buffer),
      );
    });
  const failureOf = (promise: Promise<unknown>) =>
    promise.then(
      () => Promise.reject(new Error('the call should fail')),
      ({ code, details }: ServiceError) => ({ code, details }),
    );

  it.each([
    [TRACES, '/otel/v1/traces'],
    [LOGS, '/otel/v1/logs'],
    [METRICS, '/otel/v1/metrics'],
  ])('%s is a request to %s, with the credentials and the project of its metadata', async (path, url) => {
    const sent = { authorization: 'Bearer key', 'hone-project': 'acme/demo', 'x-request-id': 'r-1', other: 'x' };
    expect(await call(path, Buffer.from('spans'), sent)).toEqual(Buffer.from([10, 0]));
    expect(seen).toHaveLength(1);
    expect([seen[0]?.url, seen[0]?.body.toString()]).toEqual([url, 'spans']);
    expect(seen[0]?.headers).toMatchObject({
      'content-type': 'application/x-protobuf',
      authorization: 'Bearer key',
      'hone-project': 'acme/demo',
      'x-request-id': 'r-1',
      'x-forwarded-for': expect.stringContaining('127.0.0.1'),
    });
    expect(seen[0]?.headers).not.toHaveProperty('other');
  });

  it.each([
    [400, 3],
    [401, 16],
    [403, 7],
    [413, 3],
    [422, 3],
    [429, 14],
    [500, 13],
    [503, 14],
    [507, 14],
  ])('a %d of the service fails the call with code %d and its message', async (status, code) => {
    const said = Buffer.from(Writer.create().uint32(8).int32(code).uint32(18).string('It says why.').finish());
    answer = (_request, response) => response.writeHead(status).end(said);
    expect(await failureOf(call(TRACES, Buffer.alloc(1)))).toEqual({ code, details: 'It says why.' });
  });

  it('a service that cannot be reached, or breaks off, is unavailable', async () => {
    answer = (request) => request.socket.destroy();
    expect(await failureOf(call(TRACES, Buffer.alloc(1)))).toMatchObject({ code: 14 });
    answer = (_request, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('half', () => response.destroy());
    };
    expect(await failureOf(call(TRACES, Buffer.alloc(1)))).toMatchObject({ code: 14 });
    answer = (_request, response) => response.writeHead(503).end('{"detail":"no protobuf"}');
    const { code, details } = await failureOf(call(TRACES, Buffer.alloc(1)));
    expect([code, details]).toEqual([14, 'The server answered with HTTP status 503.']);
  });

  it('messages above 4 MiB pass, endless ones and other methods do not', async () => {
    await call(TRACES, Buffer.alloc(6_000_000));
    expect(seen[0]?.body).toHaveLength(6_000_000);
    expect(await failureOf(call(TRACES, Buffer.alloc(70_000_000)))).toMatchObject({ code: 8 });
    expect(await failureOf(call('/opentelemetry.Other/Export', Buffer.alloc(1)))).toMatchObject({ code: 12 });
    expect(seen).toHaveLength(1);
  });

  it('a caller who leaves takes the request along', async () => {
    const left = new Promise<void>((resolve) => {
      answer = (request) => void request.socket.once('close', () => resolve());
    });
    const asIs = (bytes: Buffer) => bytes;
    const running = client.makeUnaryRequest(TRACES, asIs, asIs, Buffer.alloc(1), () => undefined);
    while (seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
    running.cancel();
    await left;
  });

  it('no HTTP/1.1 is spoken', async () => {
    const failed = new Promise((resolve) => {
      httpRequest({ port: grpc.port, path: TRACES, method: 'POST' }).once('error', resolve).end();
    });
    expect(await failed).toBeInstanceOf(Error);
  });

  it('running calls end when it stops, new ones are refused', async () => {
    const other = await OtlpGrpcServer.listen('127.0.0.1', 0, rig.proxy.origin);
    const caller = new Client(`127.0.0.1:${other.port}`, credentials.createInsecure());
    let finish: () => void = () => undefined;
    answer = (_request, response) => void (finish = () => response.end('done'));
    const asIs = (bytes: Buffer) => bytes;
    const running = new Promise((resolve, reject) => {
      caller.makeUnaryRequest(TRACES, asIs, asIs, Buffer.alloc(1), (error, message) =>
        error ? reject(error) : resolve(String(message)),
      );
    });
    while (seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const closed = other.close(10_000);
    finish();
    expect(await running).toBe('done');
    await closed;
    const late = new Promise((resolve) => {
      const deadline = { deadline: Date.now() + 5_000 };
      caller.makeUnaryRequest(TRACES, asIs, asIs, Buffer.alloc(1), new Metadata(), deadline, (error) =>
        resolve(error?.code),
      );
    });
    expect(await late).toBe(14);
    caller.close();
  });
});
