import { isCheckpointAlias } from '@hone/contracts';
import { ValidationError } from '@hone/platform';
import { Injectable, type PipeTransform } from '@nestjs/common';

const MESSAGE = 'Input should be 1 to 64 of A-Z a-z 0-9 _ . -, a letter first, and no step, version, latest or base';

/** An alias in a path. Whether it names anything is another question. */
@Injectable()
export class AliasPipe implements PipeTransform<string, string> {
  /** @throws ValidationError it is none that a checkpoint may have */
  transform(value: string): string {
    if (!isCheckpointAlias(value)) {
      throw new ValidationError([{ loc: ['path', 'alias'], msg: MESSAGE, type: 'value_error' }]);
    }
    return value;
  }
}
