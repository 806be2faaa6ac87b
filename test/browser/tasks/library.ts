import assert from 'node:assert/strict'

import sharp from 'sharp'

import { aPng, getBytes } from '../../support/records/media.ts'
import { becomes, settled } from '../stage.ts'
import type { Task } from './task.ts'

export const libraryTasks: readonly Task[] = [
  {
    name: 'finds a book by a title with a typo',
    clicks: 1,
    keys: 13,
    async run({ page, user, go }) {
      await go('/')
      await user.press('/')
      await user.type('max havelar')
      await user.press('Enter')
      await page.locator('.found[data-of="/find?q=max+havelar"]').waitFor()
      const entry = page.locator('.entry').filter({ has: page.getByText('Work: text') })
      await user.click(entry.getByRole('link', { name: /^Max Havelaar/ }).first())
      await page.getByRole('heading', { level: 1, name: 'Max Havelaar' }).waitFor()
      await page.locator('.record-makers').getByRole('link', { name: 'Multatuli' }).waitFor()
    }
  },
  {
    name: 'sees all Dutch translations of a work',
    clicks: 2,
    clicksOnPhone: 3,
    keys: 0,
    async run({ page, user, service, isPhone, go }) {
      await go('/find?q=hamlet')
      if (isPhone) await user.click(page.getByRole('button', { name: 'Filters' }))
      await user.click(page.getByRole('checkbox', { name: 'Expressions' }))
      await page.waitForURL(/type=expression/)
      await user.click(page.getByRole('checkbox', { name: 'Dutch', exact: true }))
      const { count } = (
        await service.filter([
          { type: 'search', value: 'hamlet' },
          { type: 'type', value: 'expression' },
          { type: 'selection', key: 'relations.refLanguages.key', value: ['LANG-NLD'], match_exact: true }
        ])
      ).body
      await page.getByRole('heading', { name: `${count} records`, exact: true }).waitFor()
    }
  },
  {
    name: 'sees the publications of which one library has copies',
    clicks: 2,
    clicksOnPhone: 3,
    keys: 0,
    async run({ page, user, isPhone, go, create }) {
      const library = await create('library', { name: 'Branch by the river' })
      const copy = { refManifestation: 'M-REINEKE1999', refLibrary: library }
      await create('item', { shelf_mark: 'Goe 12' }, copy)
      await create('item', { shelf_mark: 'Goe 13' }, copy)
      await go('/find')
      if (isPhone) await user.click(page.getByRole('button', { name: 'Filters' }))
      await user.click(page.getByRole('button', { name: 'Library', exact: true }))
      await user.click(page.getByRole('checkbox', { name: 'Branch by the river' }))
      await page.getByRole('heading', { name: '1 result', exact: true }).waitFor()
      await becomes(() => page.locator('.entry').count(), 1)
      await page
        .locator('.entry')
        .getByRole('link', { name: /Reineke/ })
        .first()
        .waitFor()
    }
  },
  {
    name: 'describes a new book, with a translator who is not in the catalogue yet',
    clicks: 6,
    keys: 41,
    async run({ page, user, go, isAccessible }) {
      await go('/')
      await user.click(page.getByRole('link', { name: 'Add', exact: true }))
      await user.click(page.getByRole('link', { name: /work, expression/i }))
      await user.click(page.getByRole('textbox', { name: /^Title/ }).first())
      await user.type('Een nieuw boek')
      const people = page
        .locator('.step')
        .nth(1)
        .getByRole('combobox', { name: /People/ })
      await user.click(people)
      await user.type('Vertaler, Nieuwe')
      await user.click(page.getByRole('option', { name: /Vertaler, Nieuwe/ }).filter({ hasText: /Person/ }))
      await user.click(page.getByLabel('Role: Vertaler, Nieuwe'))
      await user.type('translator')
      await user.press('Control+s')
      await page.getByRole('heading', { level: 1, name: 'Een nieuw boek' }).waitFor()
      await page.locator('.rung.level-expression').getByText('translator').waitFor()
      // The title stands once, in the heading.
      await settled(page)
      assert.equal(await page.locator('.rung').getByText('Een nieuw boek', { exact: true }).count(), 0)
      await isAccessible()
    }
  },
  {
    name: 'merges two records, and undoes it from the history',
    clicks: 7,
    keys: 8,
    async run({ page, user, service, url, go, create }) {
      const [stays, goes] = [await create('venue', { name: 'Zaal Een' }), await create('venue', { name: 'Zaal Eén' })]
      await go(`/record/${stays}`)
      await user.click(page.getByRole('button', { name: 'More', exact: true }))
      await user.click(page.getByRole('link', { name: 'Merge' }))
      await user.click(page.getByRole('combobox', { name: /Search for/ }))
      await user.type('zaal eén')
      await user.click(page.getByRole('option', { name: /^Zaal Eén/ }))
      await page.getByText('No other record refers to the merged record').waitFor()
      await user.click(page.getByRole('button', { name: 'Merge', exact: true }))
      await page.getByText('Merged into Zaal Een').waitFor()
      assert.equal((await service.get(`/entities/${goes}`)).body.id, stays)
      await page.goto(`${url}/record/${stays}`)
      await user.click(page.getByRole('link', { name: 'History' }))
      await user.click(page.getByRole('button', { name: /Undo|Separate|Unmerge/ }))
      await becomes(async () => (await service.get(`/entities/${goes}`)).body.id, goes)
    }
  },
  {
    name: 'changes a record and goes back to an earlier version',
    clicks: 4,
    keys: 3,
    async run({ page, user, go, create, fieldOf }) {
      const id = await create('venue', { name: 'Zaal Terug' })
      await go(`/record/${id}`)
      await user.click(page.getByRole('link', { name: 'Edit' }))
      await user.click(page.getByLabel('Capacity'))
      await user.type('91')
      await user.press('Control+s')
      await page.getByText('Zaal Terug was saved').waitFor()
      assert.equal(await fieldOf(id, 'capacity'), 91)
      await user.click(page.getByRole('link', { name: 'History' }))
      await user.click(page.getByRole('button', { name: 'Restore this version' }))
      await becomes(() => fieldOf(id, 'capacity'), undefined)
    }
  },
  {
    name: 'gives a person a portrait with a text for those who cannot see it',
    clicks: 2,
    keys: 17,
    async run({ page, user, url, go, isAccessible, create }) {
      const id = await create('person', { name: 'Portret, Paula' })
      await go(`/record/${id}`)
      await user.click(page.getByLabel('Describe the picture'))
      await user.type('Paula at her desk')
      await user.giveFile(page.locator('.drop-place input[type=file]'), {
        name: 'paula.png',
        mimeType: 'image/png',
        buffer: aPng(400, 400)
      })
      const portrait = page.locator('.record-head').getByRole('img', { name: 'Paula at her desk' })
      await portrait.waitFor()
      await isAccessible()
      // Small pictures are sent, not the originals.
      await page.goto(`${url}/find?q=paula`)
      await page.locator('.entry img').waitFor()
      const asked = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
      assert.ok(asked.some(address => address.includes('/thumbnail?width=160')))
      assert.ok(!asked.some(address => address.includes('/content')))
    }
  },
  {
    name: 'crops a picture after the upload, keeps the original, and sets its focal point',
    clicks: 6,
    keys: 11,
    async run({ page, user, service, go, isAccessible, create }) {
      const id = await create('person', { name: 'Cropped, Carla' })
      await go(`/record/${id}`)
      await user.giveFile(page.locator('.drop-place input[type=file]'), {
        name: 'carla.png',
        mimeType: 'image/png',
        // Blue where the middle is, and red beside it.
        buffer: aPng(300, 200, column => (column >= 79 && column < 221 ? [0, 0, 255] : [255, 0, 0]))
      })
      await page.getByText('carla.png was added').waitFor()
      await user.click(page.getByRole('button', { name: 'Crop carla.png' }))
      const dialog = page.getByRole('dialog', { name: 'Crop the picture' })
      await becomes(() => dialog.getByRole('button', { name: 'Crop and add' }).isDisabled(), false)
      await user.choose(dialog.getByLabel('Shape'), 'A format, portrait')
      await isAccessible()
      await user.click(dialog.getByRole('button', { name: 'Crop and add' }))
      await page.getByText('carla.png (cropped) was added').waitFor()
      const found = async (title: string) => {
        const filter = [
          { type: 'type', value: 'mediafile' },
          { type: 'selection', key: 'properties.title.value', value: title, match_exact: true }
        ]
        const [file] = (await service.filter(filter)).body.results
        const value = (key: string) => file.metadata.find((each: { key: string }) => each.key === key)?.value
        return { id: file.id as string, value }
      }
      const [original, cropped] = [await found('carla.png'), await found('carla.png (cropped)')]
      assert.deepEqual([original.value('width'), original.value('height')], [300, 200])
      assert.deepEqual([cropped.value('width'), cropped.value('height')], [141, 200])
      const { bytes } = await getBytes(service, `/mediafiles/${cropped.id}/content`)
      const [red, , blue] = (await sharp(bytes).stats()).channels
      assert.ok(red && blue && red.max < 10 && blue.min > 245, 'the picture has its middle, and nothing else')

      await go(`/record/${original.id}`)
      const slider = page.getByRole('slider', { name: 'From left to right' })
      await slider.focus()
      await user.press('Home', ...Array.from({ length: 10 }, () => 'ArrowRight'))
      await isAccessible()
      await user.click(page.getByRole('button', { name: 'Save the focal point' }))
      await page.getByText('was saved').waitFor()
      const { value } = await found('carla.png')
      assert.deepEqual([value('focus_x'), value('focus_y')], [0.1, 0.5])
    }
  },
  {
    name: 'reads roles and languages in one’s own language',
    clicks: 0,
    keys: 0,
    language: 'nl',
    async run({ page, go }) {
      await go('/record/PR-HAMLET')
      await page.locator('.role', { hasText: 'toneelschrijver' }).waitFor()
      await page.locator('.facts').getByText('Nederlands', { exact: true }).first().waitFor()
      assert.equal(await page.getByText('/icons/nl.svg').count(), 0)
      await go('/record/PR-HAMLET/edit')
      const role = page.getByLabel('Rol: Haverhals, Ilse')
      await role.waitFor()
      assert.equal(await role.inputValue(), 'regisseur')
    }
  }
]
