// A bot on discord.js that finds out whether the simulator behaves like Discord to
// a client other than ours. Usage:
//
//	node client.js http://127.0.0.1:PORT
//
// It logs in, registers commands, and does what each command asks for. It ends
// when somebody runs /quit. The status is 0 if everything was as discord.js and
// this program expect it; otherwise it prints what was not.
import assert from 'node:assert/strict';
import { deflateSync } from 'node:zlib';
import {
	ActionRowBuilder, ApplicationCommandOptionType, AttachmentBuilder, ButtonBuilder, ButtonStyle, Client,
	Events, GatewayIntentBits, MessageFlags, Status,
} from 'discord.js';

const base = process.argv[2];
const quiet = { parse: [] };
const faults = [];
const done = new Set();

function fault(where, error) {
	faults.push(`${where}: ${error?.stack ?? error}`);
}
process.on('unhandledRejection', (error) => fault('unhandled', error));
process.on('uncaughtException', (error) => fault('uncaught', error));

// chunk and png make the smallest picture: one grey dot.
function chunk(type, data) {
	const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
	const out = Buffer.alloc(body.length + 8);
	out.writeUInt32BE(data.length, 0);
	body.copy(out, 4);
	let crc = ~0;
	for (const byte of body) {
		crc ^= byte;
		for (let k = 0; k < 8; k++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
	}
	out.writeUInt32BE(~crc >>> 0, out.length - 4);
	return out;
}
function png(grey) {
	const header = Buffer.alloc(13);
	header.writeUInt32BE(1, 0);
	header.writeUInt32BE(1, 4);
	header[8] = 8;
	return Buffer.concat([
		Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
		chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.from([0, grey]))), chunk('IEND', Buffer.alloc(0)),
	]);
}
function picture(n) {
	return new AttachmentBuilder(png(n), { name: `board-${n}.png`, description: `Picture ${n}` });
}
function row(label, id) {
	return new ActionRowBuilder().addComponents(new ButtonBuilder().setLabel(label).setCustomId(id).setStyle(ButtonStyle.Primary));
}

const client = new Client({
	intents: [GatewayIntentBits.Guilds],
	allowedMentions: quiet,
	rest: { api: `${base}/api`, version: '10' },
});
client.on(Events.Error, (error) => fault('client', error));
client.on(Events.Warn, (text) => fault('warning', text));
client.on(Events.ShardResume, () => done.add('resumed'));
client.on(Events.ShardReady, () => done.add(done.has('ready') ? 'ready again' : 'ready'));

client.once(Events.ClientReady, async () => {
	try {
		assert.equal(client.guilds.cache.size, 1);
		const list = await client.application.commands.set([
			{ name: 'ping', description: 'Answers at once' },
			{
				name: 'later', description: 'Answers later, with a picture',
				options: [{ name: 'word', description: 'A word', type: ApplicationCommandOptionType.String, required: true }],
			},
			{ name: 'whisper', description: 'Answers to one person' },
			{ name: 'board', description: 'A picture with a button' },
			{ name: 'quit', description: 'Ends' },
		]);
		assert.equal(list.size, 5);
	} catch (error) {
		fault('registering', error);
	}
});

const handlers = {
	async ping(interaction) {
		assert.equal(interaction.inGuild(), true);
		assert.equal(interaction.locale, 'en-US');
		assert.equal(interaction.user.username, 'ann');
		assert.ok(interaction.appPermissions.has('AttachFiles'));
		const answer = await interaction.reply({ content: 'pong', withResponse: true });
		assert.equal(answer.resource.message.content, 'pong');
		const again = await interaction.followUp({ content: 'and once more' });
		await again.delete();
	},
	async later(interaction) {
		await interaction.deferReply();
		const message = await interaction.editReply({ content: interaction.options.getString('word'), files: [picture(1)] });
		assert.equal(message.attachments.size, 1);
		const next = await interaction.editReply({ content: 'next', files: [picture(2)], attachments: [] });
		assert.equal(next.attachments.size, 1, 'the earlier file is replaced');
		assert.equal(next.attachments.first().description, 'Picture 2');
		const answer = await fetch(new URL(new URL(next.attachments.first().url).pathname, base));
		assert.deepEqual(Buffer.from(await answer.arrayBuffer()), png(2));
	},
	async whisper(interaction) {
		await interaction.reply({ content: 'just you', flags: MessageFlags.Ephemeral });
		const message = await interaction.fetchReply();
		assert.ok(message.flags.has(MessageFlags.Ephemeral));
		await assert.rejects(interaction.reply('twice'), { code: 'InteractionAlreadyReplied' });
	},
	async board(interaction) {
		await interaction.reply({ content: 'board', files: [picture(3)], components: [row('Next', 'next')] });
	},
	async next(interaction) {
		await interaction.update({ content: 'moved', files: [picture(4)], attachments: [], components: [row('Again', 'again')] });
		// The same message by the channel's route.
		const message = await interaction.message.fetch();
		assert.equal(message.attachments.size, 1);
		const edited = await message.edit({ content: 'edited', files: [picture(5)], attachments: [] });
		assert.equal(edited.attachments.first().name, 'board-5.png');
		assert.equal(edited.components[0].components[0].customId, 'again');
	},
	async again(interaction) {
		await interaction.deferUpdate();
		await interaction.editReply({ content: 'the end', components: [] });
	},
	async quit(interaction) {
		await interaction.reply({ content: 'bye' });
		assert.equal(client.ws.status, Status.Ready);
		for (const what of ['ready', 'resumed', 'ready again', 'ping', 'later', 'whisper', 'board', 'next', 'again']) {
			assert.ok(done.has(what), `${what} was never done`);
		}
	},
};

client.on(Events.InteractionCreate, async (interaction) => {
	const name = interaction.isButton() ? interaction.customId : interaction.commandName;
	try {
		await handlers[name](interaction);
		done.add(name);
	} catch (error) {
		fault(name, error);
	}
	console.log(`done ${name}`);
	if (name === 'quit') {
		await client.destroy();
		for (const f of faults) console.error(f);
		process.exit(faults.length > 0 ? 1 : 0);
	}
});

await client.login('token');
