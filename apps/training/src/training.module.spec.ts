import { describeServiceBasics } from '@hone/testing';

import { TrainingModule } from './training.module.js';

describeServiceBasics(TrainingModule);
