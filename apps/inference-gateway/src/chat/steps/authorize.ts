import { Injectable } from '@nestjs/common';

import { UsageProjects } from '../../metering/projects/usage-projects.service.js';
import { step } from '../../shared/step.js';
import type { ChatContext, ChatStep } from '../chat-context.js';

/** Finds the project that the request names, else that of the key. @throws ProjectForbiddenError */
@Injectable()
export class Authorize implements ChatStep {
  constructor(private readonly projects: UsageProjects) {}

  run(chat: ChatContext): void | Promise<void> {
    const { caller, exchange, settings } = chat;
    const named = exchange.firstHeader(settings.projectHeaders);
    return step(this.projects.recall(caller, named) ?? this.projects.authorize(caller, named), (project) => {
      chat.project = project;
    });
  }
}
