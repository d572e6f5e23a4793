// The channel list. In one column it is a drawer that also holds the people.

import { byId, phone } from './dom.js';

const side = byId('side');

function openDrawer() {
  side.classList.add('open');
  byId('backdrop').hidden = false;
  byId('drawer-toggle').setAttribute('aria-expanded', 'true');
  side.querySelector('[aria-current]')?.focus();
}

export function closeDrawer() {
  if (!side.classList.contains('open')) return;
  side.classList.remove('open');
  byId('backdrop').hidden = true;
  byId('drawer-toggle').setAttribute('aria-expanded', 'false');
  byId('drawer-toggle').focus();
}

function arrange() {
  const people = byId('people');
  if (phone.matches) side.append(people);
  else {
    closeDrawer();
    document.querySelector('.layout').append(people);
  }
}

byId('drawer-toggle').addEventListener('click', () => (side.classList.contains('open') ? closeDrawer() : openDrawer()));
byId('backdrop').addEventListener('click', closeDrawer);
side.addEventListener('keydown', (event) => { if (event.key === 'Escape') closeDrawer(); });
phone.addEventListener('change', arrange);
arrange();
