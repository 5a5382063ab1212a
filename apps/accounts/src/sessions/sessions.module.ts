import { Module } from '@nestjs/common';

import { SessionStatusController } from './session-status.controller.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsRepository } from './sessions.repository.js';
import { SessionsService } from './sessions.service.js';
import { SignInController } from './sign-in.controller.js';

@Module({
  controllers: [SessionsController, SignInController, SessionStatusController],
  providers: [SessionsRepository, SessionsService],
})
export class SessionsModule {}
