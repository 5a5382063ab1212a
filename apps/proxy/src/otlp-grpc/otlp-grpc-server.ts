import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, request as send } from 'node:http';
import { buffer } from 'node:stream/consumers';

import type { sendUnaryData, Server, ServerUnaryCall, ServiceDefinition } from '@grpc/grpc-js';

import { errorOf, type GrpcError } from './grpc-error.js';

type Call = ServerUnaryCall<Buffer, Buffer>;

/** The services of OTLP over gRPC, each with one method, `Export`, and where its messages go as OTLP over HTTP. */
const PATHS = {
  'opentelemetry.proto.collector.trace.v1.TraceService': '/otel/v1/traces',
  'opentelemetry.proto.collector.logs.v1.LogsService': '/otel/v1/logs',
  'opentelemetry.proto.collector.metrics.v1.MetricsService': '/otel/v1/metrics',
};
/** What the service behind reads of a caller's metadata. */
const HEADERS = ['authorization', 'hone-project', 'project_id', 'x-request-id'];
/** Bounds what a message may take here; the service behind refuses smaller ones, by its own limit. */
const MAX_MESSAGE_BYTES = 67_108_864;

/**
 * OTLP over gRPC. Both forms of OTLP have the same messages, so each call becomes a request of OTLP over HTTP to the
 * proxy's own address: credentials, limits and replicas are looked after there.
 */
export class OtlpGrpcServer {
  private readonly agent = new Agent({ keepAlive: true });

  private constructor(
    private readonly server: Server,
    private readonly origin: string,
  ) {}

  /**
   * Listens, without TLS. The library is loaded only here: most installations never need it.
   *
   * @param origin of the proxy, for example `http://127.0.0.1:8080`
   */
  static async listen(host: string, port: number, origin: string): Promise<OtlpGrpcServer> {
    const { Server, ServerCredentials } = await import('@grpc/grpc-js');
    const server = new Server({ 'grpc.max_receive_message_length': MAX_MESSAGE_BYTES });
    const otlp = new OtlpGrpcServer(server, origin);
    for (const [service, path] of Object.entries(PATHS)) {
      server.addService(definitionOf(service), {
        export: (call: Call, callback: sendUnaryData<Buffer>) => {
          otlp.forward(path, call).then(
            (answer) => callback(null, answer),
            (error: GrpcError) => callback(error),
          );
        },
      });
    }
    const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
    await new Promise<void>((resolve, reject) => {
      server.bindAsync(address, ServerCredentials.createInsecure(), (error, bound) => {
        otlp.boundPort = bound;
        if (error) reject(error);
        else resolve();
      });
    });
    return otlp;
  }

  private boundPort = 0;

  get port(): number {
    return this.boundPort;
  }

  /** Takes no new call, lets running ones end for `drainMs`, then breaks off what is left. */
  async close(drainMs: number): Promise<void> {
    const deadline = setTimeout(() => this.server.forceShutdown(), drainMs).unref();
    await new Promise<void>((resolve) => this.server.tryShutdown(() => resolve()));
    clearTimeout(deadline);
    this.agent.destroy();
  }

  /** @returns the message that the exporter is answered with. @throws GrpcError */
  private async forward(path: string, call: Call): Promise<Buffer> {
    const headers: Record<string, string | number> = {
      'content-type': 'application/x-protobuf',
      'content-length': call.request.length,
      'x-forwarded-for': addressOf(call.getPeer()),
    };
    for (const name of HEADERS) {
      const [value] = call.metadata.get(name);
      if (value !== undefined) headers[name] = String(value);
    }
    const request = send(`${this.origin}${path}`, { method: 'POST', agent: this.agent, headers });
    call.on('cancelled', () => request.destroy());
    request.on('error', () => undefined); // also of a connection that breaks amid the answer
    request.end(call.request);
    const answer = await answerTo(request).catch(() => UNREACHABLE);
    if (answer.status === 200) return answer.body;
    throw errorOf(answer.status, answer.body);
  }
}

/** What a call fails with whose request was not answered, or not whole. */
const UNREACHABLE = { status: 503, body: Buffer.alloc(0) };

async function answerTo(request: ClientRequest): Promise<{ status: number; body: Buffer }> {
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode as number, body: await buffer(response) };
}

/** Messages are passed on as bytes. */
function definitionOf(service: string): ServiceDefinition {
  const asIs = (bytes: Buffer) => bytes;
  return {
    export: {
      path: `/${service}/Export`,
      requestStream: false,
      responseStream: false,
      requestSerialize: asIs,
      requestDeserialize: asIs,
      responseSerialize: asIs,
      responseDeserialize: asIs,
    },
  };
}

/** `127.0.0.1:5` and `[::1]:5` without their ports. */
const addressOf = (peer: string): string => peer.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
