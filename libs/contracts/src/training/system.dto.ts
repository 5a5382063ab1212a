import { Example } from '../schema/example.js';
import { Nested } from '../validation/rule.js';
import { IsFlag, IsNumber, IsText, IsTextList, IsWord } from '../validation/rules.js';

/** Answer of `GET /v1/health`. */
@Example({ status: 'ok', version: '0.1.0' })
export class HealthDto {
  /** Always `ok`. */
  @IsWord(['ok']) status!: 'ok';
  /** Version of the server. */
  @IsText() version!: string;
}

/** Whether jobs of a queue find a worker. */
export class QueueCheckDto {
  /** Whether the check found nothing wrong. */
  @IsFlag() success!: boolean;
  /** Seconds that the check took. */
  @IsNumber({ min: 0 }) duration!: number;
  /** What is wrong, in short sentences; empty when nothing is. */
  @IsTextList() errors!: string[];
}

/** Whether jobs for GPUs find a worker. */
export class GpuQueueCheckDto extends QueueCheckDto {
  /** Whether there is a GPU worker at all; without one the check succeeds. */
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
  /** Whether the service itself works. */
  @IsFlag() api!: boolean;
  /** Whether the database answers within 2 s. */
  @IsFlag() database!: boolean;
  /** Whether a job can be claimed, and a worker on this installation's CPUs reported in the last 15 s. */
  @Nested(() => QueueCheckDto) cpu_queue!: QueueCheckDto;
  /** Whether a GPU worker reported, where there is one. */
  @Nested(() => GpuQueueCheckDto) gpu_queue!: GpuQueueCheckDto;
}
