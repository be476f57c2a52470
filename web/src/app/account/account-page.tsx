// The page "My account", for every user.
import { useRef } from 'react';
import { Page, PageLoading } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { words } from '../../words/more.ts';
import { useMe } from '../me.ts';
import { SignOuts, useSignOuts } from '../sign-outs.tsx';
import { AddressSection } from './address-section.tsx';
import { ConsentsSection, useConsents } from './consents-section.tsx';
import { DataSection, useErasureOffer } from './data-section.tsx';
import { sessionsKey } from './ending.ts';
import { ExternalSection, useLinks } from './external-section.tsx';
import { useFactors } from './factors.ts';
import { FactorsSection } from './factors-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { QuestionsSection, useQuestions } from './questions-section.tsx';
import { SessionsSection } from './sessions-section.tsx';

export function AccountPage() {
  const texts = words.account;
  const factors = useFactors();
  const questions = useQuestions();
  const links = useLinks();
  const consents = useConsents();
  const signOuts = useSignOuts(useMe().id, sessionsKey);
  const isErasureOffered = useErasureOffer();
  // Show all sections at once: a late one would move the others. One that is read again leaves the others, with their dialogs.
  const isShown = useRef(false);
  isShown.current ||= ![factors, questions, links, consents, signOuts, isErasureOffered].includes(null);
  if (!isShown.current) return <PageLoading />;
  return (
    <Page title={texts.title}>
      <Section title={texts.profile.title}>
        <AddressSection />
      </Section>
      <Section title={texts.password.title}>
        <PasswordSection />
      </Section>
      {factors !== undefined && (
        <Section title={words.factors.account.title}>
          <FactorsSection factors={factors} />
        </Section>
      )}
      {questions !== undefined && (
        <Section title={texts.questions.title}>
          <QuestionsSection questions={questions} />
        </Section>
      )}
      {links !== undefined && (
        <Section title={texts.external.title}>
          <ExternalSection links={links} />
        </Section>
      )}
      {consents && consents.length > 0 && (
        <Section title={texts.consents.title}>
          <ConsentsSection consents={consents} />
        </Section>
      )}
      <Section title={texts.sessions.title}>
        <SessionsSection />
      </Section>
      {signOuts && signOuts.length > 0 && (
        <Section title={words.signOuts.title}>
          <SignOuts sessions={signOuts} />
        </Section>
      )}
      <Section title={texts.data.title}>
        <DataSection isOffered={isErasureOffered === true} factors={factors} />
      </Section>
    </Page>
  );
}
