import { Module } from '@nestjs/common';

import { TimeRanges } from './time-ranges.js';
import { TimeZonesRepository } from './time-zones.repository.js';

@Module({ providers: [TimeRanges, TimeZonesRepository], exports: [TimeRanges] })
export class TimeBucketsModule {}
