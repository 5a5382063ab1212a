import { Controller, Get, type OnModuleDestroy, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { ApiExcludeController } from '../openapi/api.decorators.js';
import { OpenRoute } from './open-route.decorator.js';
import { Readiness } from './readiness.js';

/** For orchestrators and Prometheus; the proxy does not publish these. */
@ApiExcludeController()
@Controller()
export class ProbesController implements OnModuleDestroy {
  private isStopping = false;

  constructor(private readonly readiness: Readiness) {}

  onModuleDestroy(): void {
    this.isStopping = true;
  }

  /** The process runs and its event loop turns. */
  @Get('healthz')
  @OpenRoute(200)
  health(): { status: string } {
    return { status: 'up' };
  }

  /** 200 when requests can be served, though perhaps with warnings; 503 while a dependency is unavailable, and during the drain. */
  @Get('readyz')
  @OpenRoute(200, 503)
  async ready(
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<{ status: string; checks: Record<string, string>; warnings?: string[] }> {
    const checks = await this.readiness.check();
    const isReady = Object.values(checks).every((state) => state === 'up') && !this.isStopping;
    if (!isReady) reply.status(503);
    const warnings = this.readiness.warnings();
    const status = isReady ? 'ready' : this.isStopping ? 'stopping' : 'not ready';
    return { status, checks, ...(warnings.length > 0 && { warnings }) };
  }

  @Get('metrics')
  @OpenRoute(200)
  async metrics(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const { metrics } = request.server;
    reply.header('content-type', metrics.contentType);
    return metrics.metrics();
  }
}
