import { Controller, Get, type OnModuleDestroy, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Database } from '@hone/database';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { OpenRoute } from './open-route.decorator.js';

const PING_TIMEOUT_MS = 2_000;

/** For orchestrators and Prometheus; the proxy does not publish these. */
@ApiExcludeController()
@Controller()
export class ProbesController implements OnModuleDestroy {
  private isStopping = false;

  constructor(private readonly database: Database) {}

  onModuleDestroy(): void {
    this.isStopping = true;
  }

  /** The process runs and its event loop turns. */
  @Get('healthz')
  @OpenRoute(200)
  health(): { status: string } {
    return { status: 'up' };
  }

  /** 200 when requests can be served; 503 while a dependency is away, and once the service is to stop. */
  @Get('readyz')
  @OpenRoute(200, 503)
  async ready(
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<{ status: string; checks: Record<string, string> }> {
    const database = await Promise.race([
      this.database.ping().then(
        () => 'up',
        () => 'down',
      ),
      new Promise<string>((resolve) => setTimeout(() => resolve('down'), PING_TIMEOUT_MS).unref()),
    ]);
    const isReady = database === 'up' && !this.isStopping;
    if (!isReady) reply.status(503);
    return { status: isReady ? 'ready' : this.isStopping ? 'stopping' : 'not ready', checks: { database } };
  }

  @Get('metrics')
  @OpenRoute(200)
  async metrics(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const { metrics } = request.server;
    reply.header('content-type', metrics.contentType);
    return metrics.metrics();
  }
}
