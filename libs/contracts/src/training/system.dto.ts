import { Example } from '../schema/example.js';
import { Nested } from '../validation/rule.js';
import { IsFlag, IsNumber, IsText, IsTextList, IsWord } from '../validation/rules.js';

/** Answer of `GET /v1/health`. */
@Example({ status: 'ok', version: '0.1.0' })
export class HealthDto {
  @IsWord(['ok']) status!: 'ok';
  @IsText() version!: string;
}

/** Whether jobs find somebody who trains them. */
export class QueueCheckDto {
  @IsFlag() success!: boolean;
  /** Seconds that the check took. */
  @IsNumber({ min: 0 }) duration!: number;
  /** Short sentences; empty when all is well. */
  @IsTextList() errors!: string[];
}

export class GpuQueueCheckDto extends QueueCheckDto {
  /** False: there is none, and that is all right. */
  @IsFlag() configured!: boolean;
}

/** Answer of `GET /v1/system-check`: 200 when all is well, else 503 with the same body. */
@Example({
  api: true,
  database: true,
  cpu_queue: { success: true, duration: 0.004, errors: [] },
  gpu_queue: { success: true, duration: 0, errors: [], configured: false },
})
export class SystemCheckDto {
  @IsFlag() api!: boolean;
  /** It answers within 2 s. */
  @IsFlag() database!: boolean;
  /** A job can be claimed, and a worker on this installation's CPUs was heard of in the last 15 s. */
  @Nested(() => QueueCheckDto) cpu_queue!: QueueCheckDto;
  @Nested(() => GpuQueueCheckDto) gpu_queue!: GpuQueueCheckDto;
}
