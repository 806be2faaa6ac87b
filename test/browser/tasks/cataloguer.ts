import assert from 'node:assert/strict'

import { marcFile, saltRoad } from '../../support/records/marc-files.ts'
import { becomes, settled } from '../stage.ts'
import { idOf, type Task } from './task.ts'

export const cataloguerTasks: readonly Task[] = [
  {
    name: 'adds an edition to an expression of a work, which is chosen already',
    clicks: 1,
    keys: 1,
    async run({ page, user, service, go, keysOf }) {
      const [expression] = (await service.get('/entities/W-HAMLET/tree')).body.expressions
      await go('/record/W-HAMLET')
      await user.click(page.locator('.levels-tree > ul > li').first().getByRole('link', { name: 'Add edition' }))
      // The title is that of the expression until it is changed.
      await becomes(() => page.getByRole('textbox', { name: /^Title/ }).inputValue(), expression.metadata.title.value)
      await user.press('Control+s')
      await page.waitForURL(/\/record\/(?!W-HAMLET)[^/]+$/)
      await page.getByText(`${expression.metadata.title.value} was added`, { exact: true }).waitFor()
      assert.deepEqual(await keysOf(idOf(page.url()), 'refExpressions'), [expression.id])
    }
  },
  {
    name: 'adds a translation to a work, with its edition',
    clicks: 2,
    keys: 8,
    async run({ page, user, service, go }) {
      await go('/record/W-HAMLET')
      await user.click(page.getByRole('link', { name: 'Add translation' }))
      await page.locator('.step').first().getByText('Hamlet', { exact: true }).waitFor()
      await user.click(
        page
          .locator('.step')
          .nth(1)
          .getByRole('textbox', { name: /^Title/ })
      )
      await user.type('Hamleto')
      await user.press('Control+s')
      await page.waitForURL(/\/record\/[^/]+$/)
      const { work, expression } = (await service.get(`/entities/wem/${idOf(page.url())}`)).body
      assert.equal(expression.metadata.title.value, 'Hamleto')
      assert.equal(work.metadata.title.value, 'Hamlet')
    }
  },
  {
    name: 'describes a new printing of an old translation, without a second expression',
    clicks: 3,
    keys: 14,
    async run({ page, user, service, go, isAccessible, read, keysOf }) {
      const { expressions } = (await service.get('/entities/W-HAMLET/tree')).body
      const translation = expressions.find((each: { metadata: { title: { value: string } } }) =>
        each.metadata.title.value.startsWith('Hamleto')
      )
      await go('/new/publication?refWork=W-HAMLET')
      await user.choose(page.getByLabel('Of which expression?'), translation.id)
      await user.click(page.getByRole('textbox', { name: 'ISBN' }))
      await user.type('9789097580792')
      await isAccessible()
      await user.press('Control+s')
      await page.waitForURL(/\/record\/[^/]+$/)
      const made = await read(idOf(page.url()))
      assert.deepEqual(await keysOf(made.id, 'refExpressions'), [translation.id])
      assert.equal((await service.get('/entities/W-HAMLET/tree')).body.expressions.length, expressions.length)
    }
  },
  {
    name: 'makes a record like another, without its ISBN',
    clicks: 2,
    keys: 1,
    async run({ page, user, go, read }) {
      await go('/record/M-REINEKE1999')
      await user.click(page.getByRole('button', { name: 'More', exact: true }))
      await user.click(page.getByRole('link', { name: 'Duplicate' }))
      const original = await read('M-REINEKE1999')
      const title = original.metadata.find(({ key }: { key: string }) => key === 'title').value
      const field = page.getByRole('textbox', { name: /^Title/ }).first()
      await becomes(() => field.inputValue(), title)
      assert.equal(await page.getByRole('textbox', { name: 'ISBN' }).first().inputValue(), '')
      await page.getByText('Already in the catalogue with this name or ISBN').waitFor()
      await user.press('Control+s')
      await page.waitForURL(url => /\/record\/[^/]+$/.test(url.pathname) && !url.pathname.endsWith('M-REINEKE1999'))
      assert.equal((await read(idOf(page.url()))).relations.length, original.relations.length)
    }
  },
  {
    name: 'begins a record with a template',
    clicks: 4,
    keys: 22,
    async run({ page, user, go, isAccessible }) {
      await go('/new/venue')
      await page.getByRole('textbox', { name: 'City', exact: true }).click()
      await page.keyboard.type('Mechelen')
      await page.getByRole('textbox', { name: 'Country', exact: true }).click()
      await page.keyboard.type('BE')
      await user.click(page.getByRole('button', { name: 'Save as template' }))
      await user.type('Hall in Mechelen')
      await isAccessible()
      await user.press('Enter')
      await page.getByText('The template Hall in Mechelen was stored').waitFor()
      assert.equal(await page.evaluate(() => location.pathname), '/new/venue', 'the form of the record is not saved')
      await page.reload()
      await page.getByRole('button', { name: 'Discard draft' }).click()
      assert.equal(await page.getByRole('textbox', { name: 'City', exact: true }).inputValue(), '')
      await user.choose(page.getByLabel('Template'), 'Hall in Mechelen')
      assert.equal(await page.getByRole('textbox', { name: 'City', exact: true }).inputValue(), 'Mechelen')
      await user.click(page.getByRole('textbox', { name: /^Name/ }))
      await user.type('Nova')
      await user.press('Control+s')
      await page.getByRole('heading', { level: 1, name: 'Nova' }).waitFor()
    }
  },
  {
    name: 'classifies a work by browsing ZIZO, and finds classes by their code and path',
    clicks: 8,
    keys: 8,
    async run({ page, user, go, isAccessible, create, keysOf }) {
      const id = await create('work_word', { title: 'A work without a class' })
      await go(`/record/${id}/edit`)
      await user.click(page.getByRole('button', { name: /^Browse ZIZO/ }))
      const dialog = page.getByRole('dialog')
      await user.click(dialog.getByRole('button', { name: 'Narrower: Kunst en cultuur' }))
      await user.click(dialog.getByRole('button', { name: 'Narrower: Podiumkunsten' }))
      await dialog.getByText('K21', { exact: true }).waitFor()
      await isAccessible()
      await user.click(dialog.getByRole('button', { name: 'Theater', exact: true }))
      const zizo = page.locator('[data-field=refZizos]')
      await zizo.locator('.picked').getByText('Theater').waitFor()
      // The list of the field has the code and the classes above each.
      await user.click(zizo.getByRole('combobox'))
      await user.type('toneelt')
      await user.click(
        page.getByRole('option', { name: /Toneelteksten K211, L31.* Kunst en cultuur › Podiumkunsten › Theater/ })
      )
      // SISO has codes only, and no levels.
      await user.click(page.getByRole('button', { name: /^Browse SISO/ }))
      await dialog.getByText('Engels').first().waitFor()
      await user.click(dialog.getByRole('button', { name: '851.6' }))
      await user.press('Control+s')
      await page.getByText('A work without a class was saved').waitFor()
      assert.deepEqual(await keysOf(id, 'refZizos'), ['ZIZO-THEATER', 'ZIZO-TONEELTEKST'])
      assert.deepEqual(await keysOf(id, 'refSisos'), ['SISO-NEDE1'])
    }
  },
  {
    name: 'tells people of the same name apart by their dates, and puts them in order',
    clicks: 3,
    keys: 9,
    async run({ page, user, go, create, keysOf }) {
      const [older, younger] = [
        await create('person', { name: 'Smit, Jan', life_dates: '1820-1890' }),
        await create('person', { name: 'Smit, Jan', life_dates: '1950-' })
      ]
      const id = await create('work_word', { title: 'By two of one name' }, { refAuthors: older })
      await go(`/record/${id}/edit`)
      await user.click(page.getByRole('combobox', { name: 'Search for People' }))
      await user.type('smit jan')
      // The one who is there already is not offered.
      await user.click(page.getByRole('option', { name: /^Smit, Jan 1950-/ }))
      await user.click(page.getByRole('button', { name: 'Move Smit, Jan up' }))
      await user.press('Control+s')
      await page.getByText('By two of one name was saved').waitFor()
      assert.deepEqual(await keysOf(id, 'refAuthors'), [younger, older])
    }
  },
  {
    name: 'sets a relation of a range of records, clears it, and undoes that',
    clicks: 13,
    keys: 5,
    async run({ page, user, go, create, keysOf }) {
      const genre = await create('genre', { name: 'Marsh opera' })
      const old = await create('genre', { name: 'Old genre' })
      const ids: string[] = []
      for (const name of ['a', 'b', 'c', 'd'])
        ids.push(await create('work_word', { title: `Marshland ${name}` }, { refGenres: old }))
      const genres = () => Promise.all(ids.map(id => keysOf(id, 'refGenres')))
      await go('/find?q=marshland&sort=title')
      await user.click(page.getByRole('button', { name: 'Select', exact: true }))
      await user.click(page.getByLabel('Select Marshland a'))
      await user.click(page.getByLabel('Select Marshland c'), { modifiers: ['Shift'] })
      await page.getByText('3 selected').waitFor()
      await user.click(page.getByRole('button', { name: 'Edit', exact: true }))
      await user.choose(page.getByLabel('Which field?'), 'Genres')
      await user.choose(page.getByLabel('What should happen?'), 'Set the relation (replaces all current ones)')
      await user.click(page.getByRole('combobox', { name: 'Search for Genres' }))
      await user.type('marsh')
      await user.click(page.getByRole('option', { name: /^(?!Add).*Marsh opera/ }))
      await user.click(page.getByRole('button', { name: 'Preview' }))
      await user.click(page.getByRole('button', { name: 'Change 3 records' }))
      await page.getByText('3 records were changed').waitFor()
      assert.deepEqual(await genres(), [[genre], [genre], [genre], [old]])
      await user.click(page.getByRole('button', { name: 'Undo all' }))
      await page.getByText('3 records were restored').waitFor()
      assert.deepEqual(await genres(), [[old], [old], [old], [old]])

      await go('/find/change?q=marshland')
      await page.getByLabel('Which field?').selectOption('Genres')
      await page.getByLabel('What should happen?').selectOption('Clear the relation')
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByRole('button', { name: 'Change 4 records' }).click()
      await page.getByText('4 records were changed').waitFor()
      assert.deepEqual(await genres(), [[], [], [], []])
    }
  },
  {
    name: 'changes the description of a production',
    clicks: 2,
    keys: 14,
    async run({ page, user, go, create, read }) {
      const id = await create('production', { title: 'Without words' })
      await go(`/record/${id}`)
      await user.click(page.getByRole('link', { name: 'Edit' }))
      await user.click(page.getByRole('textbox', { name: 'Short description' }))
      await user.type('A ')
      await user.press('Control+b')
      await user.type('bold')
      await user.press('Control+b')
      await user.type(' show')
      await user.press('Control+s')
      await page.getByText('Without words was saved').waitFor()
      assert.equal((await read(id)).metadata.at(-1).value, '<p>A <strong>bold</strong> show</p>')
    }
  },
  {
    name: 'imports a file after a preview, and sees the MARC record of an edition and where it came from',
    clicks: 6,
    keys: 0,
    async run({ page, user, service, go, isAccessible }) {
      service.libretto.imports.start(error => assert.fail(String(error)))
      await go('/new')
      await user.click(page.getByRole('link', { name: /Import a file/ }))
      await user.giveFile(page.locator('input[type=file]'), {
        name: 'salt road.mrc',
        mimeType: 'application/marc',
        buffer: marcFile(saltRoad)
      })
      await user.click(page.getByRole('button', { name: 'Preview', exact: true }))
      await page.locator('.preview-lines > li').nth(3).waitFor()
      await user.click(page.getByRole('button', { name: 'Import now' }))
      await page.getByRole('link', { name: 'Show the new records' }).waitFor()
      const [edition] = (
        await service.filter([
          { type: 'search', value: 'salt road' },
          { type: 'type', value: 'manifestation' }
        ])
      ).body.results
      await go(`/record/${edition.id}`)
      await user.click(page.getByText('MARC record and origin'))
      await page.locator('.marc tr', { hasText: '245' }).getByText('The salt road').first().waitFor()
      await page.locator('.origin').getByRole('link', { name: 'Salt road' }).first().waitFor()
      await settled(page)
      await isAccessible()
      // The import is named as such, not by its code.
      await page.locator('.record-foot').getByText('Added by an import').waitFor()
      assert.equal(await page.getByText('import:').count(), 0)
      await user.click(page.getByRole('link', { name: 'Show the import' }))
      await page.getByRole('heading', { level: 1, name: 'salt road.mrc' }).waitFor()
    }
  },
  {
    // Of the import of the task before.
    name: 'separates an edition from a work to which an import joined it, and undoes that',
    clicks: 3,
    keys: 0,
    async run({ page, user, service, go, isAccessible, keysOf }) {
      const editions = [
        { type: 'search', value: 'salt road' },
        { type: 'type', value: 'manifestation' }
      ]
      const { results } = (await service.filter(editions)).body as { results: { id: string; metadata: object[] }[] }
      const reprint = results.find(({ metadata }) => JSON.stringify(metadata).includes('1963')) ?? assert.fail()
      const workId = async () => {
        const [expression = ''] = await keysOf(reprint.id, 'refExpressions')
        return (await keysOf(expression, 'refWork'))[0]
      }
      const joined = await workId()
      await go(`/record/${reprint.id}`)
      await user.click(page.getByText('MARC record and origin'))
      await user.click(page.getByRole('button', { name: 'This is another work' }))
      const undo = page.getByRole('button', { name: 'Undo the separation' })
      await undo.waitFor()
      assert.notEqual(await workId(), joined)
      await isAccessible()
      await user.click(undo)
      await page.getByRole('button', { name: 'This is another work' }).waitFor()
      assert.equal(await workId(), joined)
    }
  }
]
