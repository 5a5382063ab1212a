import { Module } from '@nestjs/common';

import { JobsModule } from '../jobs/jobs.module.js';
import { EventCursorRepository } from './event-cursor.repository.js';
import { EventsController } from './events.controller.js';
import { EventsService } from './events.service.js';
import { JobFeeds } from './job-feeds.js';
import { StreamSlots } from './stream-slots.js';
import { DEFAULT_STREAM_TIMES, STREAM_TIMES } from './stream-times.js';

@Module({
  imports: [JobsModule],
  controllers: [EventsController],
  providers: [
    EventsService,
    EventCursorRepository,
    JobFeeds,
    StreamSlots,
    { provide: STREAM_TIMES, useValue: DEFAULT_STREAM_TIMES },
  ],
})
export class EventsModule {}
