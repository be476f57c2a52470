// The call of the overview.
import { Type } from 'typebox';
import { defineRoute, type Route } from '../contract/route.ts';
import { Text } from '../contract/schemas.ts';
import { OverviewDto, toOverviewDto } from './dtos.ts';
import type { Overview } from './overview.ts';

export const overviewRoutes = (overview: Overview): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/services/app/Overview/Get',
    summary: 'Count what happened, by hour or day, and list what needs attention.',
    access: 'pages:maintenance',
    query: Type.Object({
      range: Type.Optional(Type.Enum(['24h', '7d', '30d'])),
      timeZone: Type.Optional(
        Text({ maxLength: 60, description: 'Where days begin, such as Europe/Berlin. Default: UTC.' }),
      ),
    }),
    result: OverviewDto,
    async handle({ input: { range = '24h', timeZone = 'UTC' }, caller }) {
      return toOverviewDto(await overview.read(range, timeZone, caller));
    },
  }),
];
