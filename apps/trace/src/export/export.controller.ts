import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { SearchIncompleteError, SearchOffError } from '@hone/call-queries';
import { ExportDto, ExportLineDto } from '@hone/contracts';
import { AnswersLines, ApiBasicAuth, Feature, LinesAnswer, MaySendTrailers, QueryTimeoutError } from '@hone/platform';
import { Body, Controller, Post, UseGuards } from '@nestjs/common';

import { ExportService } from './export.service.js';

@ApiBasicAuth('basic')
@Feature('export', 'Calls and feedback for other programs, and as training data.')
@Controller('export')
@UseGuards(BasicAuthGuard)
export class ExportController {
  constructor(private readonly exports: ExportService) {}

  @Post()
  @MaySendTrailers()
  @AnswersLines(
    ExportLineDto,
    'exportRows',
    'Export calls or feedback, one per line',
    AccessDeniedError,
    SearchOffError,
    SearchIncompleteError,
    QueryTimeoutError,
  )
  export(@CurrentPrincipal() caller: Principal, @Body() body: ExportDto): Promise<LinesAnswer> {
    return this.exports.export(caller, body);
  }
}
