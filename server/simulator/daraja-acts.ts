import type { Tx } from '../db/tx.ts';
import {
  type Fields,
  fieldText,
  hasRefusedWord,
  invalidField,
  isCredentialRight,
  isPhone,
  isUrl,
  type WireAnswer,
  wholeAmountCents,
  wireError,
} from './daraja-wire.ts';
import type { Faults } from './faults.ts';
import { newRequestId } from './identifiers.ts';
import { openPrompt } from './prompts.ts';
import { lookUpTransaction, payOut, tellBalance } from './results.ts';
import type { Core, PromptRow } from './simulator.types.ts';

/** What each product does with a request whose token is good. */
export type Act = (core: Core, tx: Tx, fields: Fields, faults: Faults) => Promise<WireAnswer>;

const PUSHED = 'Success. Request accepted for processing';

export const pushStk: Act = async (core, tx, fields, faults) => {
  const wrong = wrongStkField(fields) ?? wrongPushField(fields);
  if (wrong) return invalidField(core, wrong);
  const refusal = wrongMerchant(core, fields);
  if (refusal) return refusal;
  const prompt = await openPrompt(
    core,
    tx,
    {
      phone: fieldText(fields, 'PhoneNumber'),
      amountCents: wholeAmountCents(fieldText(fields, 'Amount')) ?? 0,
      accountReference: fieldText(fields, 'AccountReference'),
      description: fieldText(fields, 'TransactionDesc'),
      callbackUrl: fieldText(fields, 'CallBackURL'),
    },
    faults,
  );
  if (!prompt) {
    const message = 'Unable to lock subscriber, a transaction is already in process for the current subscriber';
    return wireError(core, 500, '500.001.1001', message);
  }
  return {
    status: 200,
    body: {
      MerchantRequestID: prompt.merchant_request_id,
      CheckoutRequestID: prompt.checkout_request_id,
      ResponseCode: '0',
      ResponseDescription: PUSHED,
      CustomerMessage: PUSHED,
    },
  };
};

function wrongStkField(fields: Fields): string | null {
  if (!/^\d{5,7}$/.test(fieldText(fields, 'BusinessShortCode'))) return 'BusinessShortCode';
  if (!fieldText(fields, 'Password')) return 'Password';
  return /^\d{14}$/.test(fieldText(fields, 'Timestamp')) ? null : 'Timestamp';
}

function wrongPushField(fields: Fields): string | null {
  const type = fieldText(fields, 'TransactionType');
  if (type !== 'CustomerPayBillOnline' && type !== 'CustomerBuyGoodsOnline') return 'TransactionType';
  if (wholeAmountCents(fieldText(fields, 'Amount')) === null) return 'Amount';
  if (!isPhone(fieldText(fields, 'PartyA'))) return 'PartyA';
  if (!/^\d{5,7}$/.test(fieldText(fields, 'PartyB'))) return 'PartyB';
  if (!isPhone(fieldText(fields, 'PhoneNumber'))) return 'PhoneNumber';
  if (!isUrl(fieldText(fields, 'CallBackURL'))) return 'CallBackURL';
  if (!/^[A-Za-z0-9]{1,12}$/.test(fieldText(fields, 'AccountReference'))) return 'AccountReference';
  // Documented as optional; without it the sandbox says "Remarks".
  return /^.{1,13}$/.test(fieldText(fields, 'TransactionDesc')) ? null : 'Remarks';
}

function wrongMerchant(core: Core, fields: Fields): WireAnswer | null {
  const { shortcode, passkey } = core.keys;
  if (fieldText(fields, 'BusinessShortCode') !== shortcode) {
    return wireError(core, 500, '500.001.1001', 'Merchant does not exist');
  }
  const password = Buffer.from(shortcode + passkey + fieldText(fields, 'Timestamp')).toString('base64');
  if (fieldText(fields, 'Password') === password) return null;
  return wireError(core, 500, '500.001.1001', 'Wrong credentials');
}

export const queryStk: Act = async (core, tx, fields) => {
  const wrong = wrongStkField(fields);
  if (wrong) return invalidField(core, wrong);
  const refusal = wrongMerchant(core, fields);
  if (refusal) return refusal;
  const checkoutRequestId = fieldText(fields, 'CheckoutRequestID');
  if (!checkoutRequestId) return invalidField(core, 'CheckoutRequestID');
  const [prompt] = await tx.sql<PromptRow[]>`
    update simulator.prompt set queries = queries + 1 where checkout_request_id = ${checkoutRequestId} returning *`;
  if (!prompt) return wireError(core, 500, '500.001.1001', 'The transaction does not Exist');
  // "Still processing" has two shapes in the field; they take turns.
  if (prompt.status === 'open' && prompt.queries % 2 === 1) {
    return wireError(core, 500, '500.001.1001', 'The transaction is being processed');
  }
  const [code, description] = queryOutcome(prompt);
  return {
    status: 200,
    body: {
      ResponseCode: '0',
      ResponseDescription: 'The service request has been accepted successfully',
      MerchantRequestID: prompt.merchant_request_id,
      CheckoutRequestID: prompt.checkout_request_id,
      ResultCode: code,
      ResultDesc: description,
    },
  };
};

function queryOutcome(prompt: PromptRow): [code: string, description: string] {
  if (prompt.status === 'open') return ['4999', 'The transaction is still under processing'];
  const contradicts = (JSON.parse(prompt.faults) as Faults).query_contradicts !== undefined;
  if (contradicts && prompt.result_code === '0') return ['1032', 'Request Cancelled by user.'];
  return [prompt.result_code ?? '', prompt.result_description ?? ''];
}

const ACCEPTED = { ResponseCode: '0', ResponseDescription: 'Accept the service request successfully.' };

export const payOutB2c: Act = async (core, tx, fields, faults) => {
  const originatorConversationId = fieldText(fields, 'OriginatorConversationID');
  const wrong = wrongPayoutField(core, fields);
  if (wrong) return invalidField(core, wrong);
  const conversationId = await payOut(
    core,
    tx,
    {
      originatorConversationId,
      phone: fieldText(fields, 'PartyB'),
      amountCents: wholeAmountCents(fieldText(fields, 'Amount')) ?? 0,
      isCredentialRight: isCredentialRight(
        core,
        fieldText(fields, 'InitiatorName'),
        fieldText(fields, 'SecurityCredential'),
      ),
      resultUrl: fieldText(fields, 'ResultURL'),
      timeoutUrl: fieldText(fields, 'QueueTimeOutURL'),
      request: fields,
    },
    faults,
  );
  if (!conversationId) return wireError(core, 500, '500.002.1001', 'Duplicate OriginatorConversationID.');
  return {
    status: 200,
    body: { OriginatorConversationID: originatorConversationId, ConversationID: conversationId, ...ACCEPTED },
  };
};

function wrongPayoutField(core: Core, fields: Fields): string | null {
  if (!/^[\w-]{1,64}$/.test(fieldText(fields, 'OriginatorConversationID'))) return 'OriginatorConversationID';
  if (!fieldText(fields, 'InitiatorName')) return 'InitiatorName';
  if (!fieldText(fields, 'SecurityCredential')) return 'SecurityCredential';
  const commands = ['BusinessPayment', 'SalaryPayment', 'PromotionPayment'];
  if (!commands.includes(fieldText(fields, 'CommandID'))) return 'CommandID';
  if (wholeAmountCents(fieldText(fields, 'Amount')) === null) return 'Amount';
  if (fieldText(fields, 'PartyA') !== core.keys.shortcode) return 'PartyA';
  if (!isPhone(fieldText(fields, 'PartyB'))) return 'PartyB';
  if (!/^.{2,100}$/.test(fieldText(fields, 'Remarks'))) return 'Remarks';
  if (!isUrl(fieldText(fields, 'QueueTimeOutURL'))) return 'QueueTimeOutURL';
  return isUrl(fieldText(fields, 'ResultURL')) ? null : 'ResultURL';
}

export const queryTransaction: Act = async (core, tx, fields, faults) => {
  const wrong = wrongStatusField(core, fields);
  if (wrong) return invalidField(core, wrong);
  const ids = await lookUpTransaction(
    core,
    tx,
    {
      receipt: fieldText(fields, 'TransactionID') || null,
      originalConversationId: fieldText(fields, 'OriginalConversationID') || null,
      ...questionOf(core, fields),
    },
    faults,
  );
  return taken(ids);
};

function wrongStatusField(core: Core, fields: Fields): string | null {
  if (!fieldText(fields, 'Initiator')) return 'Initiator';
  if (!fieldText(fields, 'SecurityCredential')) return 'SecurityCredential';
  if (fieldText(fields, 'CommandID') !== 'TransactionStatusQuery') return 'CommandID';
  if (!fieldText(fields, 'TransactionID') && !fieldText(fields, 'OriginalConversationID')) return 'TransactionID';
  if (fieldText(fields, 'PartyA') !== core.keys.shortcode) return 'PartyA';
  if (fieldText(fields, 'IdentifierType') !== '4') return 'IdentifierType';
  if (!isUrl(fieldText(fields, 'ResultURL'))) return 'ResultURL';
  if (!isUrl(fieldText(fields, 'QueueTimeOutURL'))) return 'QueueTimeOutURL';
  return /^.{2,100}$/.test(fieldText(fields, 'Remarks')) ? null : 'Remarks';
}

export const queryBalance: Act = async (core, tx, fields, faults) => {
  const wrong = wrongBalanceField(core, fields);
  if (wrong) return invalidField(core, wrong);
  return taken(await tellBalance(core, tx, questionOf(core, fields), faults));
};

/** What each question carries to whose result address the answer goes. */
function questionOf(core: Core, fields: Fields) {
  return {
    isCredentialRight: isCredentialRight(core, fieldText(fields, 'Initiator'), fieldText(fields, 'SecurityCredential')),
    resultUrl: fieldText(fields, 'ResultURL'),
    timeoutUrl: fieldText(fields, 'QueueTimeOutURL'),
    request: fields,
  };
}

function taken(ids: { readonly originatorConversationId: string; readonly conversationId: string }) {
  return {
    status: 200,
    body: { OriginatorConversationID: ids.originatorConversationId, ConversationID: ids.conversationId, ...ACCEPTED },
  };
}

function wrongBalanceField(core: Core, fields: Fields): string | null {
  if (!fieldText(fields, 'Initiator')) return 'Initiator';
  if (!fieldText(fields, 'SecurityCredential')) return 'SecurityCredential';
  if (fieldText(fields, 'CommandID') !== 'AccountBalance') return 'CommandID';
  if (fieldText(fields, 'PartyA') !== core.keys.shortcode) return 'PartyA';
  if (fieldText(fields, 'IdentifierType') !== '4') return 'IdentifierType';
  if (!/^.{2,100}$/.test(fieldText(fields, 'Remarks'))) return 'Remarks';
  if (!isUrl(fieldText(fields, 'QueueTimeOutURL'))) return 'QueueTimeOutURL';
  return isUrl(fieldText(fields, 'ResultURL')) ? null : 'ResultURL';
}

/** Safaricom's production takes C2B URLs once; its sandbox, and this, let them be replaced unless told otherwise. */
export function registerC2b(version: 'v1' | 'v2'): Act {
  return async (core, tx, fields) => {
    const { shortcode } = core.keys;
    if (fieldText(fields, 'ShortCode') !== shortcode) return invalidField(core, 'ShortCode');
    const responseType = fieldText(fields, 'ResponseType');
    if (responseType !== 'Completed' && responseType !== 'Cancelled') return invalidField(core, 'ResponseType');
    const confirmationUrl = fieldText(fields, 'ConfirmationURL');
    const validationUrl = fieldText(fields, 'ValidationURL');
    if (!isUrl(confirmationUrl) || hasRefusedWord(confirmationUrl)) return invalidField(core, 'ConfirmationURL');
    if (!isUrl(validationUrl) || hasRefusedWord(validationUrl)) return invalidField(core, 'ValidationURL');
    const [once] = await tx.sql`
      select from simulator.setting s join simulator.c2b_registration r on r.shortcode = ${shortcode}
      where s.name = 'c2b_register_once' and s.value = 'true'`;
    if (once) return wireError(core, 500, '500.003.1001', 'Urls are already registered.');
    await tx.sql`
      insert into simulator.c2b_registration (shortcode, response_type, confirmation_url, validation_url, version)
      values (${shortcode}, ${responseType}, ${confirmationUrl}, ${validationUrl}, ${version})
      on conflict (shortcode) do update set
        response_type = excluded.response_type, confirmation_url = excluded.confirmation_url,
        validation_url = excluded.validation_url, version = excluded.version`;
    const body = {
      // Safaricom's spelling.
      OriginatorCoversationID: newRequestId(core.world),
      ResponseCode: '0',
      ResponseDescription: 'Success',
    };
    return { status: 200, body };
  };
}
