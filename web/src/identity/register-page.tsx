import type { IdentityDocument, register } from '@ushirika/contract/identity';
import { PASSPORT_COUNTRIES, passportNumber } from '@ushirika/contract/passport-countries';
import { foldId, plainId } from '@ushirika/contract/typed';
import { useMemo, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { ApiForm, sentencesBesideFields } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { firstSentences } from '../api/failure.ts';
import { Title } from '../layouts/title.tsx';
import { paths } from '../paths.ts';
import { checkStorage, storeSession } from '../session/session.ts';
import { SelectField, TextField } from '../ui/fields.tsx';
import { type Explanation, SubmitButton } from '../ui/form.tsx';
import { PhoneField } from '../ui/phone-field.tsx';
import { toast } from '../ui/toast.ts';
import { currentLanguage, say } from '../words/say.ts';
import { AuthHead, AuthLinks } from './auth-links.tsx';
import { DOCUMENTS, documentWords } from './identity-words.ts';
import { checkNewPassword, NewPasswordField } from './new-password-field.tsx';
import { referralCodeIn } from './password-rules.ts';

const REQUIRED = ['first_name', 'last_name', 'phone_number', 'email', 'id_number', 'password'] as const;
type Field = (typeof REQUIRED)[number] | 'referal_code' | 'document' | 'country';

/** /auth/register: Sign Up. */
export function RegisterPage() {
  const navigate = useNavigate();
  const referralCode = referralCodeIn(useLocation().search);
  const [password, setPassword] = useState('');

  const submit = async (values: Record<Field, string>, form: HTMLFormElement) => {
    const { country = '', ...typed } = values;
    const document = typed.document as IdentityDocument;
    const passport = document === 'passport' ? passportNumber(country, typed.id_number) : null;
    const body = { ...typed, document, id_number: passport ?? typed.id_number, user_type: 'client' };
    const answer = await call<typeof register>('POST', '/auth/register/', { body, saccoId: null });
    if (!answer.token) {
      toast.error(answer.message);
      return;
    }
    storeSession(answer);
    for (const name of ['password', 'id_number']) (form.elements.namedItem(name) as HTMLInputElement).value = '';
    navigate(paths.saccosList(), { replace: true });
    toast.success(say('Registration Successfull'));
  };

  return (
    <>
      <Title>{say('Sign Up')}</Title>
      <AuthHead title={say('Sign Up')} lead={say('Fill in the fields to create your account!')} />
      <ApiForm<Field>
        required={REQUIRED}
        emptyMessage={say('All Fields are required')}
        check={(values) => checkPassport(values) ?? checkNewPassword(values) ?? checkStorage()}
        submit={submit}
        explain={(error) => ({ toasts: firstSentences(error), fields: sentencesBesideFields(error) })}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField label={say('First Name')} name="first_name" required autoComplete="given-name" />
          <TextField
            label={say('Last Name')}
            name="last_name"
            required
            autoComplete="family-name"
            hint={say('Only one name? Write it in both fields.')}
          />
        </div>
        <PhoneField label={say('Phone Number')} name="phone_number" required placeholder="0700 000000" />
        <TextField label={say('Email')} name="email" type="email" required autoComplete="email" />
        <IdFields />
        <TextField
          label={say('Referral Code (optional)')}
          name="referal_code"
          defaultValue={referralCode}
          readOnly={referralCode !== ''}
          autoComplete="off"
        />
        <NewPasswordField label={say('Password')} required password={password} onType={setPassword} />
        <SubmitButton busyLabel={say('Authenticating...')} className="mt-1 w-full">
          {say('Sign Up')}
        </SubmitButton>
      </ApiForm>
      <AuthLinks
        links={[
          [paths.login(), say('Have An Account? Sign In')],
          [paths.home(), say('Navigate Home')],
        ]}
      />
    </>
  );
}

/** A passport without its country might be another person's: none is presumed. A number that could be two is not sent. */
function checkPassport({ document, country, id_number }: Record<Field, string>): Explanation | null {
  if (document !== 'passport') return null;
  if (!country) return { toasts: [say('All Fields are required')], fields: { country: say('Fill in this field.') } };
  return passportNumber(country, id_number) === null
    ? {
        toasts: [],
        fields: { id_number: say('Write the number of the passport, without the letters of its country.') },
      }
    : null;
}

/** The place of the number on the document that is chosen. */
function idHint(document: string): string {
  if (document === 'passport') return say('The number on the passport.');
  return document === 'alien_id' ? say('The number on the alien ID.') : say('The number on the ID card.');
}

/** The number of the ID, and what kind of document it is on. A passport has a country: two countries may give out one number. */
function IdFields() {
  const [document, setDocument] = useState<string>('national_id');
  const [country, setCountry] = useState('');
  const [number, setNumber] = useState('');
  const language = currentLanguage();
  const countries = useMemo(() => {
    const names = new Intl.DisplayNames(language, { type: 'region' });
    const named = [...PASSPORT_COUNTRIES.keys()].map((code) => ({ code, name: names.of(code) ?? code }));
    return named.sort((one, other) => one.name.localeCompare(other.name, language));
  }, [language]);
  const plain = plainId(number);
  const kept = document === 'passport' ? passportNumber(country, number) : foldId(number);
  const hint = () => {
    if (kept !== null && kept !== plain) return say('You sign in with {number}.', { number: kept });
    return document !== 'passport' && /^[A-Z]/.test(foldId(number))
      ? say('A passport? Choose “Passport” and its country.')
      : idHint(document);
  };
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        label={say('Document')}
        name="document"
        value={document}
        onChange={(event) => setDocument(event.target.value)}
      >
        {DOCUMENTS.map((each: IdentityDocument) => (
          <option key={each} value={each}>
            {documentWords(each)}
          </option>
        ))}
      </SelectField>
      {document === 'passport' && (
        <SelectField
          label={say('Country of the passport')}
          name="country"
          value={country}
          onChange={(event) => setCountry(event.target.value)}
        >
          <option value="">{say('Choose a country')}</option>
          {countries.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      <TextField
        label={say('ID Number')}
        name="id_number"
        required
        autoComplete="username"
        autoCapitalize="characters"
        value={number}
        onChange={(event) => setNumber(event.target.value)}
        hint={hint()}
      />
    </div>
  );
}
