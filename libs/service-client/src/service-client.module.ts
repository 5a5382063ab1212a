import { AuthModule } from '@hone/auth';
import { type DynamicModule, Module } from '@nestjs/common';

import { KeyRequests } from './key-requests.js';

/** Requests in the name of a key's owner, for a worker, which has no routes to guard. */
@Module({})
export class ServiceClientModule {
  static forRoot(): DynamicModule {
    return {
      module: ServiceClientModule,
      imports: [AuthModule.forRoot()],
      providers: [KeyRequests],
      exports: [KeyRequests],
    };
  }
}
