import { IsOptional } from 'class-validator';

import { tooManyIssue, valueIssue } from '../issues/issue.js';
import { asNumber, isJsonObject } from '../json/index.js';
import { IsProjectId } from '../names/names.js';
import { ALIAS, TAG, VERSION_NAME } from '../patterns/patterns.js';
import { Example } from '../schema/example.js';
import { fromRule, NestedList, type Rule } from '../validation/rule.js';
import { IsFlag, IsText, IsTextList, listRule, mapRule, numberRule, textRule } from '../validation/rules.js';
import { selectorRule } from './object-versions.dto.js';

const TAG_SHAPE = new RegExp(TAG, 'u');
const ALIAS_SHAPE = new RegExp(ALIAS, 'u');
const VERSION_SHAPE = new RegExp(VERSION_NAME, 'u');
const MAX_LABELS = 1_000;

const TAGS = listRule(
  textRule({
    max: 256,
    shape: {
      matches: (text) => TAG_SHAPE.test(text),
      description: 'letters, digits, _ and -, in words with one blank between two',
      pattern: TAG,
      examples: ['production', 'needs review'],
    },
  }),
  { max: MAX_LABELS },
);
const ALIASES = listRule(
  textRule({
    max: 128,
    shape: {
      matches: (text) => ALIAS_SHAPE.test(text) && !VERSION_SHAPE.test(text),
      description: '1 to 128 characters without / and :, not latest, v<N> or a content digest',
      pattern: ALIAS,
      except: VERSION_NAME,
      examples: ['champion', 'release 1'],
    },
  }),
  { max: MAX_LABELS },
);

/** Most versions that one alias is split over. */
const MAX_SPLIT = 20;
const MAX_WEIGHT = 1_000_000;
const SHARES = mapRule(numberRule({ min: 0, max: MAX_WEIGHT }));

/** Selectors of versions -> their shares, of which one is above 0. */
const WEIGHTS: Rule = {
  ...SHARES,
  name: 'isWeights',
  issues(value) {
    if (isJsonObject(value) && Object.keys(value).length > MAX_SPLIT) return [tooManyIssue(MAX_SPLIT)];
    const issues = SHARES.issues(value);
    if (issues.length > 0) return issues;
    const shares = Object.values(value as object).map(asNumber);
    return shares.some((share) => share !== undefined && share > 0)
      ? []
      : [valueIssue('No version has a weight above 0')];
  },
  schema: { ...SHARES.schema, minProperties: 1, maxProperties: MAX_SPLIT },
};

/** Body of `PUT /objs/{object_id}/versions/{digest}/tags`, and of `POST` to its `remove`. */
@Example({ project_id: 'acme/demo', tags: ['production'] })
export class TagsDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /**
   * Tags, at most 1,000, of 1 to 256 letters and digits of any script, `_` and `-`, in words with one blank between two.
   * A version may have any number.
   */
  @fromRule(TAGS) tags!: string[];
}

/** Body of `PUT /objs/{object_id}/aliases`. */
@Example({ project_id: 'acme/demo', digest: 'v0', aliases: ['champion'] })
export class AliasesSetDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Version that gets the aliases: its content digest, `v<N>`, `latest` or another alias. One of `weights`, if given. */
  @fromRule(selectorRule) digest!: string;
  /**
   * Splits the aliases over versions, for requests that name one as the label of their `prompt`: version (content digest,
   * `v<N>`, `latest` or another alias) -> its share of these requests, relative to the sum, 0 to 1,000,000 and at least one
   * above 0. At most 20 versions, each once. A thread gets the same version while the weights stand. Everything else that
   * names the alias gets `digest`. Absent or null: all get `digest`, and weights that were set before are gone.
   */
  @IsOptional() @fromRule(WEIGHTS) weights?: Record<string, number> | null;
  /**
   * Names for the version, at most 1,000, of 1 to 128 characters without `/` and `:`; not `latest`, `v<N>` or a content
   * digest, which are names already. Each names one version of the object: setting it moves it.
   */
  @fromRule(ALIASES) aliases!: string[];
  /**
   * Whether the aliases are protected from now on: a protected one neither moves nor goes, with its version neither, which
   * is a 409, until this is set to false. For owners alone. Absent or null: as they are; new ones are not.
   */
  @IsOptional() @IsFlag() protected?: boolean | null;
}

/** Body of `POST /objs/{object_id}/aliases/remove`. */
@Example({ project_id: 'acme/demo', aliases: ['champion'] })
export class AliasesRemoveDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Aliases of the object, at most 1,000; those that it does not have are no error. */
  @fromRule(ALIASES) aliases!: string[];
}

/** An alias of an object. */
@Example({ alias: 'champion', digest: 'fnvNOfMXzDB9fqOQX26F0PQHvU4QxUh1cxEdfDA4dus', protected: false, weights: null })
export class ObjectAliasDto {
  /** Its name. */
  @IsText() alias!: string;
  /** Content digest of the version that it names. */
  @IsText() digest!: string;
  /** Whether it neither moves nor goes until an owner says so. */
  @IsFlag() protected!: boolean;
  /**
   * Content digests of the versions that prompts with this label are split over -> their shares, relative to the sum. Null:
   * all get `digest`.
   */
  @IsOptional() @fromRule(WEIGHTS) weights!: Record<string, number> | null;
}

/** Answer of `GET /objs/{object_id}/aliases`. */
export class ObjectAliasesResultDto {
  /** The aliases of the object, by code point; `latest`, which every object has, is not listed. */
  @NestedList(() => ObjectAliasDto) aliases!: ObjectAliasDto[];
}

/** Query that names the project of what is meant. */
@Example({ project_id: 'acme/demo' })
export class ProjectQueryDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
}

/** Answer of `GET /tags`. */
export class TagsResultDto {
  /** All tags of the project's objects, each once, by code point. */
  @IsTextList() tags!: string[];
}

/** Answer of `GET /aliases`. */
export class AliasesResultDto {
  /** All aliases of the project's objects, each once, by code point; `latest`, which every object has, is not listed. */
  @IsTextList() aliases!: string[];
}
