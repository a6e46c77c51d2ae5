/** The phone page. Everything that the platform wrote is put in as text, never as markup. */

const LOOK_EVERY_MS = 1_500;
const api = '/simulator/api';
const byId = (id) => document.getElementById(id);
const nairobi = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Africa/Nairobi',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Africa/Nairobi', hour: '2-digit', minute: '2-digit' });
const money = new Intl.NumberFormat('en-KE', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const shillings = (amount) => `Ksh.\u00a0${money.format(amount)}`;

const STATES = {
  open: 'Waiting',
  approved: 'Paid',
  cancelled: 'Cancelled',
  timed_out: 'Timed out',
  insufficient_funds: 'No funds',
  failed: 'Failed',
};

let phone = digitsOf(new URLSearchParams(location.search).get('phone') ?? '') ?? null;
let shownPrompt = null;

/** Kenyan short forms become 254 and nine digits; null for anything else. */
function digitsOf(text) {
  const digits = text.replace(/[\s+()-]/g, '');
  const whole = /^0?([17]\d{8})$/.exec(digits)?.[1] ?? /^254([17]\d{8})$/.exec(digits)?.[1];
  return whole ? `254${whole}` : null;
}

const spoken = (digits) => `0${digits.slice(3, 6)} ${digits.slice(6, 9)} ${digits.slice(9)}`;

async function call(path, body) {
  const options = body
    ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    : {};
  const reply = await fetch(api + path, options);
  return { ok: reply.ok, body: await reply.json() };
}

function element(tag, text, className = '') {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

/** Rebuilds a list only when what it shows has changed, so that it can be read and selected in peace. */
function fill(list, empty, rows, build) {
  const state = JSON.stringify(rows);
  empty.hidden = rows.length > 0;
  if (list.dataset.state === state) return;
  list.dataset.state = state;
  list.replaceChildren(...rows.map(build));
}

function messageItem({ text, sender, sent_at }) {
  const item = element('li', undefined, 'message');
  item.append(element('p', text), element('p', `${sender} · ${nairobi.format(new Date(sent_at))}`));
  return item;
}

function paymentItem({ amount, account_reference, status, receipt, created_at, result_description }) {
  const item = element('li', undefined, 'payment');
  const why = status === 'failed' ? result_description : null;
  const about = [account_reference, nairobi.format(new Date(created_at)), receipt, why].filter(Boolean).join(' · ');
  item.append(
    element('strong', shillings(amount), 'num'),
    element('span', STATES[status] ?? status, `tag ${status}`),
    element('p', about),
  );
  return item;
}

function showPrompt(prompts) {
  const open = prompts.find(({ status }) => status === 'open') ?? null;
  const dialog = byId('prompt');
  // Behind an open prompt a phone takes nothing.
  for (const behind of document.querySelectorAll('.tabs, .panels')) behind.inert = Boolean(open);
  if (!open) {
    shownPrompt = null;
    if (dialog.open) dialog.close();
    return;
  }
  if (shownPrompt === open.id) return;
  shownPrompt = open.id;
  byId('prompt-title').textContent =
    `Do you want to pay ${shillings(open.amount)} to USHIRIKA, account ${open.account_reference}?`;
  byId('pin').value = '';
  byId('pin-error').textContent = '';
  if (!dialog.open) dialog.show();
  byId('pin').focus();
}

function showOwner({ name, balance, paybill }) {
  byId('name').textContent = name;
  byId('line').textContent = spoken(phone);
  byId('balance').textContent = shillings(balance);
  byId('shortcode').textContent = paybill;
}

function showNumbers(rows) {
  byId('seen').hidden = rows.length === 0;
  const state = JSON.stringify([rows.map((row) => row.phone), phone]);
  const list = byId('numbers');
  if (list.dataset.state === state) return;
  list.dataset.state = state;
  list.replaceChildren(
    ...rows.map((row) => {
      const button = element('button', digitsOf(row.phone) ? spoken(row.phone) : `+${row.phone}`);
      button.type = 'button';
      button.disabled = !digitsOf(row.phone);
      button.setAttribute('aria-pressed', String(row.phone === phone));
      button.addEventListener('click', () => use(row.phone));
      const item = element('li');
      item.append(button);
      return item;
    }),
  );
}

async function look() {
  byId('clock').textContent = clock.format(new Date());
  const numbers = await call('/phones');
  showNumbers(numbers.body.results ?? []);
  if (!phone) return;
  const asked = phone;
  const [owner, messages, prompts] = await Promise.all([
    call(`/phone?phone=${asked}`),
    call(`/messages?phone=${asked}`),
    call(`/prompts?phone=${asked}`),
  ]);
  if (asked !== phone || !owner.ok) return;
  showOwner(owner.body);
  fill(byId('message-list'), byId('no-messages'), messages.body.results, messageItem);
  fill(byId('payment-list'), byId('no-payments'), prompts.body.results, paymentItem);
  showPrompt(prompts.body.results);
}

async function keepLooking() {
  await look().catch(() => {
    byId('line').textContent = 'No network: the platform does not answer';
  });
  setTimeout(keepLooking, LOOK_EVERY_MS);
}

function use(digits) {
  phone = digits;
  byId('number').value = spoken(digits);
  byId('number-error').textContent = '';
  const url = new URL(location.href);
  url.searchParams.set('phone', digits);
  history.replaceState(null, '', url);
  look().catch(() => {});
}

async function answer(action) {
  const body = { action };
  if (action === 'approve') {
    const pin = byId('pin').value;
    if (!/^\d{4}$/.test(pin)) {
      byId('pin-error').textContent = 'Enter the four digits of your PIN.';
      byId('pin').focus();
      return;
    }
    body.pin = pin;
  }
  const reply = await call(`/prompts/${shownPrompt}`, body);
  if (!reply.ok) byId('pin-error').textContent = reply.body.message;
  else byId('prompt').close();
  await look();
}

byId('answer').addEventListener('submit', (event) => {
  event.preventDefault();
  answer('approve');
});
for (const button of document.querySelectorAll('.ways button')) {
  button.addEventListener('click', () => answer(button.dataset.action));
}

byId('pick').addEventListener('submit', (event) => {
  event.preventDefault();
  const digits = digitsOf(byId('number').value);
  if (digits) use(digits);
  else byId('number-error').textContent = 'Enter a Kenyan mobile number, such as 0712 345 678.';
});

byId('pay').addEventListener('submit', async (event) => {
  event.preventDefault();
  const said = byId('pay-said');
  const say = (text, isError) => {
    said.textContent = text;
    said.className = isError ? 'error' : '';
  };
  const amount = byId('amount').value.replace(/[,\s]/g, '');
  if (!phone) return say('Pick a number first.', true);
  if (!/^[1-9]\d*$/.test(amount)) return say('Enter whole shillings.', true);
  const reply = await call('/payments', {
    phone,
    amount: Number(amount),
    account_reference: byId('account').value.trim(),
  });
  if (!reply.ok) return say(reply.body.message, true);
  say(`${reply.body.receipt} confirmed. ${shillings(Number(amount))} sent to USHIRIKA.`, false);
  byId('pay').reset();
  await look();
});

const tabs = [...document.querySelectorAll('[role="tab"]')];
function select(chosen) {
  for (const tab of tabs) {
    const isChosen = tab === chosen;
    tab.setAttribute('aria-selected', String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    byId(tab.getAttribute('aria-controls')).hidden = !isChosen;
  }
}
for (const [index, tab] of tabs.entries()) {
  // A panel scrolls, so a keyboard must be able to stand in it.
  byId(tab.getAttribute('aria-controls')).tabIndex = 0;
  tab.addEventListener('click', () => select(tab));
  tab.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = tabs[(index + step + tabs.length) % tabs.length];
    select(next);
    next.focus();
  });
}

if (phone) byId('number').value = spoken(phone);
keepLooking();
