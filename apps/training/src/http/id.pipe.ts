import { issue, isUuid } from '@hone/contracts';
import { ValidationError } from '@hone/platform';
import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';

/** An id in a path, in lower case. Whether it names anything is another question. */
@Injectable()
export class IdPipe implements PipeTransform<string, string> {
  /** @throws ValidationError it has not the form of a UUID */
  transform(value: string, { data = 'id' }: ArgumentMetadata): string {
    if (!isUuid(value)) throw new ValidationError([issue('uuid_parsing', ['path', data])]);
    return value.toLowerCase();
  }
}
