package discord_test

import (
	"encoding/json"
	"fmt"

	"github.com/bwmarrin/discordgo"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/intent"
)

func ExampleDecode() {
	var event discordgo.InteractionCreate
	err := json.Unmarshal([]byte(`{
		"id": "1190000000000000001", "application_id": "900", "token": "secret", "type": 2,
		"channel_id": "601", "locale": "de", "app_permissions": "0",
		"user": {"id": "100", "username": "ann", "global_name": "Ann"},
		"data": {"name": "lasca", "type": 1, "options": [
			{"name": "play", "type": 1, "options": [{"name": "level", "type": 4, "value": 5}]}
		]}
	}`), &event)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := discord.Decode(event.Interaction)
	if err != nil {
		fmt.Println(err)
		return
	}
	play := r.Intent.(intent.Play)
	fmt.Println(r.User.Name, "plays against level", play.Level, "as", play.Side)
	// Output: Ann plays against level 5 as random
}
