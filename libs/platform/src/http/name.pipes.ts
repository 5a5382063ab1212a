import { isEntityName, isProjectName, issue, isUuid, valueIssue } from '@hone/contracts';
import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';

import { ValidationError } from '../errors/validation.error.js';

const wrong = (parameter: string) => new ValidationError([valueIssue('Input should be a name', ['path', parameter])]);

/** An entity in a path. */
@Injectable()
export class EntityPipe implements PipeTransform<string, string> {
  /** @throws ValidationError */
  transform(value: string, { data = 'entity' }: ArgumentMetadata): string {
    if (!isEntityName(value)) throw wrong(data);
    return value;
  }
}

/** A project in a path, or something else whose name has the same form. */
@Injectable()
export class NamePipe implements PipeTransform<string, string> {
  /** @throws ValidationError */
  transform(value: string, { data = 'name' }: ArgumentMetadata): string {
    if (!isProjectName(value)) throw wrong(data);
    return value;
  }
}

/** An id in a path, in lower case. Whether it names anything is another question. */
@Injectable()
export class IdPipe implements PipeTransform<string, string> {
  /** @throws ValidationError it has not the form of a UUID */
  transform(value: string, { data = 'id' }: ArgumentMetadata): string {
    if (!isUuid(value)) throw new ValidationError([issue('uuid_parsing', ['path', data])]);
    return value.toLowerCase();
  }
}
