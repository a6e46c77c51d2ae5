import type { setPreferences } from '@ushirika/contract/notifications';
import { SMS_TOPICS, type SmsTopic, topics } from '@ushirika/contract/topics';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { wordsFor } from '../api/failure.ts';
import { refresh } from '../api/queries.ts';
import { FailureState } from '../ui/card.tsx';
import { Section } from '../ui/section.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { usePreferences } from './preferences.queries.ts';

const SWITCH =
  'relative h-7 w-12 shrink-0 cursor-pointer appearance-none rounded-full border border-edge bg-sunken before:absolute before:top-1 before:left-1 before:size-4.5 before:rounded-full before:bg-ink-2 before:transition-transform checked:border-forest checked:bg-forest checked:before:translate-x-5 checked:before:bg-on-forest';

/** Which SMS a person wishes for. What is about security is always sent. */
export function NotificationChoices() {
  const { data: preferences, error, refetch } = usePreferences();
  const [saving, setSaving] = useState<SmsTopic | null>(null);
  const choose = async (topic: SmsTopic, isWanted: boolean) => {
    if (!preferences || saving) return;
    setSaving(topic);
    try {
      const body = { ...preferences, sms: { ...preferences.sms, [topic]: isWanted } };
      await call<typeof setPreferences>('PUT', '/client/preferences', { body });
      await refresh(['User']);
    } catch (failure) {
      toast.error(wordsFor(failure));
    } finally {
      setSaving(null);
    }
  };
  return (
    <Section
      title={say('SMS')}
      lead={say('Everything is also listed on your pages. Codes and warnings about your account are always sent.')}
    >
      {!preferences && !error && <Skeletons count={1} label={say('Loading...')} className="h-44" />}
      {error && !preferences && (
        <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
      )}
      {preferences && (
        <ul>
          {SMS_TOPICS.map((topic) => (
            <li key={topic} className="rule">
              <label className="flex min-h-14 cursor-pointer items-center justify-between gap-4 py-2">
                <span>
                  <span className="block font-medium">{say(topics[topic].choice.name[0])}</span>
                  <span className="block text-small text-ink-2">{say(topics[topic].choice.detail[0])}</span>
                </span>
                <input
                  type="checkbox"
                  role="switch"
                  checked={preferences.sms[topic]}
                  aria-checked={preferences.sms[topic]}
                  aria-busy={saving === topic || undefined}
                  onChange={(event) => void choose(topic, event.target.checked)}
                  className={`${SWITCH} ${saving === topic ? 'opacity-50' : ''}`}
                />
              </label>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
