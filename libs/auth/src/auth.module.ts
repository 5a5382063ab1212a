import { SERVICE_CONFIG, type ServiceConfig } from '@hone/platform';
import { type DynamicModule, Module } from '@nestjs/common';

import { AuditLog } from './audit-log.repository.js';
import { AnyAuthGuard, BasicAuthGuard, BearerAuthGuard, SecretKeyAuthGuard } from './auth.guard.js';
import { AuthLimits } from './auth-limits.js';
import { KeyRepository } from './key.repository.js';
import { KeyStore } from './key-store.js';
import { ProjectRepository } from './project.repository.js';
import { ProjectAccess } from './project-access.js';
import { SessionRepository } from './session.repository.js';

const PROVIDERS = [
  AuditLog,
  KeyRepository,
  KeyStore,
  ProjectAccess,
  ProjectRepository,
  SessionRepository,
  AnyAuthGuard,
  BasicAuthGuard,
  BearerAuthGuard,
  SecretKeyAuthGuard,
];

/** Guards, the key store, project access and the audit log, for the whole application. */
@Module({})
export class AuthModule {
  static forRoot(): DynamicModule {
    return {
      module: AuthModule,
      global: true,
      providers: [
        {
          provide: AuthLimits,
          useFactory: ({ rateLimitRps }: ServiceConfig) => new AuthLimits(rateLimitRps),
          inject: [SERVICE_CONFIG],
        },
        ...PROVIDERS,
      ],
      exports: [AuthLimits, ...PROVIDERS],
    };
  }
}
