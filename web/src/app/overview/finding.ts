// Findings in words: how urgent each is, what is the matter, what to do, and where.
import { describeDay, formatDay } from '../../ui/format.ts';
import { words } from '../../words/index.ts';
import type { OverviewData } from './series.ts';

export type Finding = OverviewData['attention'][number];
export type Level = 'urgent' | 'weak' | 'notice';

type Description = {
  readonly level: Level;
  readonly title: string;
  readonly text: string;
  /** The rules of standards that a setting breaks. */
  readonly source?: string;
  readonly link?: { readonly path: string; readonly label: string };
};

const toDay = (at: string) => formatDay(new Date(at));

const FAILED_MESSAGES = '/audit?action=message.failed';

/** Returns the place of a setting on its page, for the first of the front ends that it concerns. */
export function settingPath(category: string, [frontEnd]: readonly string[], setting?: string): string {
  const place = { ...(frontEnd !== undefined && { frontEnd }), category, ...(setting !== undefined && { setting }) };
  return `/settings?${new URLSearchParams(place)}`;
}

/** Returns the whole minutes of a duration, in seconds. */
const toMinutes = (seconds: number) => seconds - (seconds % 60);

const to = (path: string, label: string) => ({ link: { path, label } });

/** @param describeDuration returns seconds in words. */
export function describeFinding(finding: Finding, describeDuration: (seconds: number) => string): Description {
  const texts = words.overview.attention;
  const { actions } = texts;
  const trail = to(FAILED_MESSAGES, actions.trail);
  switch (finding.kind) {
    case 'messagesWaiting': {
      const { count, means, oldestSeconds } = finding;
      const waiting = texts.messagesWaiting(count, means, describeDuration(toMinutes(oldestSeconds)));
      return { level: 'urgent', ...waiting, ...trail };
    }
    case 'messagesFailed': {
      const { failed, sent, means } = finding;
      return { level: 'urgent', ...texts.messagesFailed(failed, failed + sent, means), ...trail };
    }
    case 'webhooksDisabled':
    case 'webhooksFull': {
      const { kind, names, count } = finding;
      return { level: 'urgent', ...texts[kind](names, count), ...to('/webhooks', actions.webhooks) };
    }
    case 'providerSecretsExpire': {
      const { names, count, firstAt } = finding;
      const isOver = Date.parse(firstAt) < Date.now();
      return { level: 'urgent', ...texts.providerSecretsExpire(names, count, describeDay(firstAt), isOver) };
    }
    case 'chainStandsStill':
      return { level: 'urgent', ...texts.chainStandsStill(describeDuration(toMinutes(finding.oldestSeconds))) };
    case 'keyOverdue':
      return { level: 'urgent', ...texts.keyOverdue(toDay(finding.dueAt)) };
    case 'keyRotatesSoon':
      return { level: 'notice', ...texts.keyRotatesSoon(toDay(finding.dueAt)) };
    case 'badSettings':
      return { level: 'urgent', ...texts.badSettings(finding.count), ...to('/settings', actions.settings) };
    case 'secondFactorUnmet':
      return {
        level: 'weak',
        ...texts.secondFactorUnmet(finding.frontEnds),
        ...to(settingPath(finding.category, []), actions.setting),
      };
    case 'weakSetting': {
      const { setting, member, category, frontEnds, source } = finding;
      const translated = texts.weak[member === null ? setting : `${setting}.${member}`];
      const { title, text } = translated ?? finding;
      return {
        level: 'weak',
        ...texts.weakSetting(title, text, frontEnds),
        source,
        ...to(settingPath(category, frontEnds, setting), actions.setting),
      };
    }
    case 'serviceKeysUnused': {
      const { names, count } = finding;
      return { level: 'weak', ...texts.serviceKeysUnused(names, count), ...to('/service-keys', actions.serviceKeys) };
    }
    case 'noGateway':
      return { level: 'notice', ...texts.noGateway(finding.means), ...to('/outbox', actions.outbox) };
  }
}
